get_report_args() {
  local name="${1:-default}"
  echo "--json-report --json-report-file=${RUNNER_ARTIFACT_DIR:-$PWD}/${name}.json"
}

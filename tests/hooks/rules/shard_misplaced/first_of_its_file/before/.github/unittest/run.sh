apart="test/envs/test_parallel.py test/envs/test_special.py"
ignores=""
for path in ${apart}; do ignores+="--ignore ${path} "; done
case "$1" in
  bulk) pytest test -n 4 ${ignores} ;;
  mp) pytest ${apart} ;;
esac

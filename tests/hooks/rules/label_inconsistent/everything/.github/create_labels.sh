gh label create "Environments/brax" --force
gh label create 'Environments/gym' --force
# .github/unittest/linux/scripts/run_all.sh is called by a workflow

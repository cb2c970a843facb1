bash $this_dir/used.sh

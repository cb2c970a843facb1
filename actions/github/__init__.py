"""What is said to GitHub and read from it: labels, the one comment, the results of a run, a pull request's facts."""

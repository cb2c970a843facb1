echo used

"""What every other room uses: errors, harmless text, spelling, files, JSON values."""

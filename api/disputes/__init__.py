"""The API and pages of disputes, rulings and appeals."""

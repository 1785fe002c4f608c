"""Spreadsheets as the place where experts work: audits and two-stage review of translations."""

"""What schemas cannot say: checks of artifacts beyond their schemas."""

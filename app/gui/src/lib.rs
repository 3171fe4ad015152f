//! The window of Decidendi.

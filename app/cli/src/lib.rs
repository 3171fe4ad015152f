//! The command line of Decidendi.

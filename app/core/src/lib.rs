//! The pure verification core of Decidendi: bytes in, values out.

//! Exact numbers: conditions compare money and ratios, and no verdict may hang on how a double rounds.

mod rational;

pub use rational::{NotANumber, Rational};

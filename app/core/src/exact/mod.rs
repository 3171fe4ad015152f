//! Exact numbers: conditions compare money and ratios, and no verdict may hang on how a double rounds.

pub mod interval;
mod rational;

pub use rational::{NotANumber, Rational};

//! The window without a display: every view by name, the tour by keyboard alone, persistence, the path box, the command
//! table. Needs no graphics driver.

mod commands;
mod leaving;
mod persistence;
mod reading;
mod sealing;
mod stage;
mod steps;
mod tour;
mod views;

//! The window without a display: every view by name, the tour by keyboard alone, persistence, the path box, the command
//! table. Needs no graphics driver.

mod acquire;
mod acquire_run;
mod changed;
mod claims;
mod commands;
mod endpoint;
mod faulty;
mod leaving;
mod persistence;
mod reading;
mod scripts;
mod sealing;
mod sheets;
mod stage;
mod step_parts;
mod step_unknown;
mod steps;
mod tour;
mod typed;
mod views;

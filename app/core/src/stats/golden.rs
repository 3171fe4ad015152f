//! Numbers of NumPy, scikit-learn and pingouin, whose versions `golden.json` names, to 1e-12.

use serde_json::Value;

use super::icc::{Sums, from_sums, icc_a1};
use super::{Column, Estimate, Level, Plan, Ranking, Resampler, quantile};
use crate::exact::Rational;
use crate::watch::Unwatched;

fn golden(key: &str) -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    golden[key].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[track_caller]
fn near(ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() <= 1e-12, "{ours} is not {theirs}");
}

#[test]
fn icc() {
    for case in golden("icc_a1") {
        let rows: Vec<Vec<f64>> = case["rows_are_targets"].as_array().unwrap().iter().map(numbers).collect();
        let k = rows[0].len();
        let ours = icc_a1(&rows.concat(), k);
        let Some(theirs) = case["icc_a1"].as_f64() else {
            assert_eq!(ours, None, "{}", case["name"]);
            continue;
        };
        near(ours.unwrap(), theirs);
        near(ours.unwrap(), case["pingouin"]["ICC"].as_f64().unwrap());
        let [above, below] = [0, 1].map(|at| case["icc_a1_exact"][at].as_str().unwrap().parse::<i64>().unwrap());
        near(ours.unwrap(), above as f64 / below as f64);
        let columns: Vec<f64> = (0..k).map(|column| rows.iter().map(|row| row[column]).sum()).collect();
        let raw = from_sums(&Sums {
            rows: rows.len() as f64,
            columns: &columns,
            squares: rows.iter().flatten().map(|value| value * value).sum(),
            squared_rows: rows.iter().map(|row| row.iter().sum::<f64>()).map(|sum| sum * sum).sum(),
        });
        near(raw.unwrap(), theirs);
    }
}

#[test]
fn auc() {
    for case in golden("auc") {
        let [successes, failures] = ["positives", "negatives"].map(|key| numbers(&case[key]));
        let outcomes: Vec<bool> = (0..successes.len() + failures.len()).map(|at| at < successes.len()).collect();
        let auc = ranking(&[successes, failures].concat(), &outcomes).auc().unwrap();
        let [above, below] = [0, 1].map(|at| case["auc_exact"][at].as_i64().unwrap());
        let exact = Rational::from_ratio(auc.half_pairs as i64, (2 * auc.successes * auc.failures) as i64);
        assert_eq!(exact, Rational::from_ratio(above, below), "{}", case["name"]);
        near(auc.to_f64(), case["sklearn"].as_f64().unwrap());
    }
}

fn ranking(scores: &[f64], outcomes: &[bool]) -> Ranking {
    Ranking::new(&scores.iter().copied().map(Some).collect::<Vec<_>>(), outcomes).unwrap()
}

#[test]
fn bootstrap_over_given_draws() {
    for case in golden("bootstrap") {
        let clusters: Vec<Vec<f64>> = case["clusters"].as_array().unwrap().iter().map(numbers).collect();
        let sums: Vec<f64> = clusters.iter().map(|values| values.iter().sum()).collect();
        let counts: Vec<u32> = clusters.iter().map(|values| values.len() as u32).collect();
        let outcomes: Vec<bool> = numbers(&case["labels"]).iter().map(|&label| label == 1.0).collect();
        let rankings = ["score_q", "score_g"].map(|key| ranking(&numbers(&case[key]), &outcomes));
        let picks: Vec<Vec<usize>> = case["draws"]
            .as_array()
            .unwrap()
            .iter()
            .map(|draw| numbers(draw).iter().map(|&pick| pick as usize).collect())
            .collect();

        let resampler = Resampler::of_picks(Plan::plain(clusters.len(), picks.len() as u32, 0), &picks);
        let column = Column { sums: &sums, counts: &counts };
        let all = resampler.run(&[column], &rankings, &Unwatched).unwrap();
        let difference = all.aucs[0].minus(&all.aucs[1]);
        let compare = |draws: &super::Draws, key: &str| {
            for (ours, theirs) in draws.iter().zip(numbers(&case[key])) {
                near(ours.unwrap(), theirs);
            }
        };
        compare(&all.ratios[0], "step_weighted_mean_per_draw");
        compare(&difference, "auc_diff_per_draw");

        let linear = &case["percentile_95"]["linear"];
        let observed = &case["observed"];
        let once = Resampler::of_picks(Plan::plain(clusters.len(), 1, 0), &[(0..clusters.len()).collect()]);
        let mean = once.run(&[column], &[], &Unwatched).unwrap().ratios[0].get(0);
        near(mean.unwrap(), observed["step_weighted_mean"].as_f64().unwrap());
        for (ranking, key) in rankings.iter().zip(["auc_q", "auc_g"]) {
            near(ranking.auc().unwrap().to_f64(), observed[key].as_f64().unwrap());
        }
        for (draws, key) in [(&all.ratios[0], "mean"), (&difference, "auc_diff")] {
            let estimate = Estimate::new(0.0, draws, 2, Level::P95).unwrap();
            near(estimate.lo, linear[key][0].as_f64().unwrap());
            near(estimate.hi, linear[key][1].as_f64().unwrap());
        }
        let one_sided = quantile::percentile(&all.ratios[0], Level::P90).unwrap().0;
        near(one_sided, case["one_sided_lower_95"]["linear"].as_f64().unwrap());
    }
}

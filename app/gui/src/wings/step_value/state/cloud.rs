//! A population of steps as points: gain by one channel against gain by the other, on symmetric logarithmic axes. Prepared
//! once; a frame only looks at what its pixels can show, and a selection is exact.

use super::StepFlag;

/// Cells along each side of the grid in which points are looked up.
const GRID: usize = 96;
/// Most cells for which points are thinned out; beyond it the picture is zoomed in so far that few are in sight.
const CELLS: usize = 1 << 22;

/// One step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The transition.
    pub transition: u32,
    /// Its flag; never [`StepFlag::Incomplete`].
    pub flag: StepFlag,
    /// Gain by the reference channel, and by the alternative one.
    pub gains: [f64; 2],
}

/// What part of the picture is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The middle, in the picture's own units.
    pub center: [f32; 2],
    /// 1 shows everything.
    pub zoom: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: [0.0; 2], zoom: 1.0 }
    }
}

/// The population.
#[derive(Debug, Clone, Default)]
pub struct Cloud {
    /// Below this a gain is drawn to scale, beyond it by its logarithm.
    knee: f64,
    /// How far the axes reach from zero, in the picture's units.
    reach: [f32; 2],
    points: Vec<Point>,
    places: Vec<[f32; 2]>,
    /// Points of each grid cell: where they begin in `by_cell`.
    starts: Vec<u32>,
    by_cell: Vec<u32>,
    /// How many lie where: both above zero, both below.
    same: [usize; 2],
}

impl Cloud {
    /// Prepares the points, in the order of their transitions.
    #[must_use]
    pub fn new(points: Vec<Point>) -> Self {
        let knee = knee(&points);
        let mut cloud = Self { knee, reach: [1.0; 2], places: Vec::with_capacity(points.len()), ..Self::default() };
        for point in &points {
            let place = cloud.place(point.gains);
            for (reach, at) in cloud.reach.iter_mut().zip(place) {
                *reach = reach.max(at.abs() * 1.06);
            }
            cloud.places.push(place);
            if point.flag == StepFlag::Same {
                cloud.same[usize::from(point.gains[0] < 0.0)] += 1;
            }
        }
        cloud.points = points;
        let cells: Vec<u32> = cloud.places.iter().map(|&place| cloud.cell(place)).collect();
        let mut starts = vec![0_u32; GRID * GRID + 1];
        for &cell in &cells {
            starts[cell as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        cloud.by_cell = vec![0; cells.len()];
        for (point, &cell) in (0_u32..).zip(&cells) {
            let slot = &mut next[cell as usize];
            cloud.by_cell[*slot as usize] = point;
            *slot += 1;
        }
        cloud.starts = starts;
        cloud
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The place of a point.
    #[must_use]
    pub fn place_of(&self, point: usize) -> [f32; 2] {
        self.places.get(point).copied().unwrap_or_default()
    }

    /// The point of a transition.
    #[must_use]
    pub fn find(&self, transition: usize) -> Option<usize> {
        let wanted = u32::try_from(transition).ok()?;
        self.points.binary_search_by_key(&wanted, |point| point.transition).ok()
    }

    /// How far the axes reach.
    #[must_use]
    pub const fn reach(&self) -> [f32; 2] {
        self.reach
    }

    /// How many of the same sign lie above zero, and below.
    #[must_use]
    pub const fn same(&self) -> [usize; 2] {
        self.same
    }

    /// Where gains are drawn.
    #[must_use]
    pub fn place(&self, gains: [f64; 2]) -> [f32; 2] {
        gains.map(|gain| self.along(gain))
    }

    /// Where a gain is drawn on its axis.
    #[must_use]
    pub fn along(&self, gain: f64) -> f32 {
        let knee = if self.knee > 0.0 { self.knee } else { 1.0 };
        ((gain.abs() / knee).ln_1p() * gain.signum()) as f32
    }

    /// Gains that an axis names: zero and powers of ten of both signs, as far as the axis reaches.
    #[must_use]
    pub fn ticks(&self, axis: usize) -> Vec<f64> {
        let mut ticks = vec![0.0];
        for power in -6..=6 {
            let tick = 10_f64.powi(power);
            if tick >= self.knee && self.along(tick) <= self.reach[axis] {
                ticks.extend([tick, -tick]);
            }
        }
        ticks
    }

    fn cell(&self, place: [f32; 2]) -> u32 {
        let [column, row] = [0, 1].map(|axis| self.slot(axis, place[axis]));
        (row * GRID + column) as u32
    }

    fn slot(&self, axis: usize, at: f32) -> usize {
        let share = (at / self.reach[axis] + 1.0) / 2.0 * GRID as f32;
        (share.max(0.0) as usize).min(GRID - 1)
    }

    /// The point nearest to a place, no farther than `radius` units along either axis.
    #[must_use]
    pub fn nearest(&self, at: [f32; 2], radius: [f32; 2], keep: impl Fn(&Point) -> bool) -> Option<usize> {
        if self.points.is_empty() {
            return None;
        }
        let span = |axis: usize| self.slot(axis, at[axis] - radius[axis])..=self.slot(axis, at[axis] + radius[axis]);
        let mut best: Option<(f32, usize)> = None;
        for row in span(1) {
            for column in span(0) {
                let cell = row * GRID + column;
                for &point in &self.by_cell[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                    let point = point as usize;
                    let by = [0, 1].map(|axis| (self.places[point][axis] - at[axis]) / radius[axis]);
                    let far = by[0].mul_add(by[0], by[1] * by[1]);
                    if far <= 1.0 && best.is_none_or(|(least, _)| far < least) && keep(&self.points[point]) {
                        best = Some((far, point));
                    }
                }
            }
        }
        best.map(|(_, point)| point)
    }

    /// Points that differ on the screen: the first of each flag in each cell of the given size. Cells are laid from zero,
    /// so that moving the picture changes nothing.
    #[must_use]
    pub fn thinned(&self, cell: [f32; 2]) -> Vec<u32> {
        let sides = [0, 1].map(|axis| (2.0 * self.reach[axis] / cell[axis]).ceil() as usize + 2);
        let all = sides[0].saturating_mul(sides[1]);
        if all > CELLS {
            return (0..self.points.len() as u32).collect();
        }
        let mut seen = vec![0_u8; all];
        let mut kept = Vec::new();
        for (point, place) in (0_u32..).zip(&self.places) {
            let [column, row] = [0, 1].map(|axis| ((place[axis] + self.reach[axis]) / cell[axis]).max(0.0) as usize);
            let bit = 1 << self.points[point as usize].flag as u8;
            let slot = &mut seen[(row * sides[0] + column).min(all - 1)];
            if *slot & bit == 0 {
                *slot |= bit;
                kept.push(point);
            }
        }
        kept
    }
}

/// A round number a good deal below the middling gain: what is smaller is drawn to scale.
fn knee(points: &[Point]) -> f64 {
    let mut sizes: Vec<f64> =
        points.iter().flat_map(|p| p.gains).map(f64::abs).filter(|g| *g > 0.0 && g.is_finite()).collect();
    if sizes.is_empty() {
        return 0.1;
    }
    let middle = sizes.len() / 2;
    let (_, median, _) = sizes.select_nth_unstable_by(middle, f64::total_cmp);
    10_f64.powf((*median / 8.0).log10().floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(n: u32) -> Cloud {
        let point = |i: u32| {
            let (a, b) = (f64::from(i * 7919 % 1000) - 500.0, f64::from(i * 104_729 % 1000) - 500.0);
            Point { transition: i, flag: StepFlag::Same, gains: [a / 100.0, b / 100.0] }
        };
        Cloud::new((0..n).map(point).collect())
    }

    #[test]
    fn the_nearest_point_is_the_one_a_slow_search_finds() {
        let cloud = cloud(2000);
        let radius = [0.4, 0.3];
        for i in 0..200 {
            let at = [(i % 20) as f32 * 0.5 - 5.0, (i / 20) as f32 - 5.0];
            let far = |p: usize| {
                let place = cloud.place_of(p);
                let by = [0, 1].map(|axis| (place[axis] - at[axis]) / radius[axis]);
                by[0] * by[0] + by[1] * by[1]
            };
            let slow = (0..2000).filter(|&p| far(p) <= 1.0).min_by(|&a, &b| far(a).total_cmp(&far(b)));
            let fast = cloud.nearest(at, radius, |_| true);
            assert_eq!(fast.map(far), slow.map(far));
        }
    }

    #[test]
    fn thinning_keeps_one_point_of_each_cell_and_loses_none_when_cells_are_small() {
        let cloud = cloud(2000);
        let kept = cloud.thinned([0.5, 0.5]);
        assert!(kept.len() < 1000 && !kept.is_empty());
        assert_eq!(cloud.thinned([1e-5, 1e-5]).len(), 2000);
    }

    #[test]
    fn axes_are_symmetric_and_pass_through_zero() {
        let cloud = cloud(100);
        assert_eq!(cloud.along(0.0), 0.0);
        assert!((cloud.along(2.5) + cloud.along(-2.5)).abs() < 1e-6);
        assert!(cloud.ticks(0).contains(&1.0) && cloud.ticks(0).contains(&-1.0));
    }

    #[test]
    fn nothing_is_found_in_an_empty_cloud() {
        let cloud = Cloud::new(Vec::new());
        assert_eq!(cloud.nearest([0.0; 2], [1.0; 2], |_| true), None);
        assert!(cloud.thinned([0.1; 2]).is_empty());
    }
}

/**
 * Returns the slope of a least-squares line and its standard error. Memory of one minute resembles that of the minute before, so the
 * error is widened by the correlation of neighbours.
 */
export const slopeOf = (points: [x: number, y: number][]): { slope: number; error: number } => {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const residuals = points.map(([x, y]) => y - meanY - slope * (x - meanX));
  const squares = residuals.reduce((sum, r) => sum + r * r, 0);
  const lagged = residuals.slice(1).reduce((sum, r, i) => sum + r * residuals[i]!, 0);
  const correlation = squares > 0 ? Math.min(0.95, Math.max(0, lagged / squares)) : 0;
  const error = Math.sqrt(((squares / (n - 2) / spread) * (1 + correlation)) / (1 - correlation));
  return { slope, error };
};

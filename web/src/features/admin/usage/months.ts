/** Usage is stored for 62 days: this month and the last one are complete. */
const monthCount = 2

/** The months that can be shown, as `2026-11`, newest first; in UTC. */
export function listMonths(now: Date): string[] {
  return Array.from({ length: monthCount }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index, 1)).toISOString().slice(0, 7),
  )
}

const dayMs = 86_400_000
/** How long before the shutdown the warnings begin. OpenAI announces the end of a model three to six months ahead. */
const warningDays = 60

/** A model of the deployment that its server is about to shut down, or has shut down. */
export interface EndingModel {
  id: string
  /** YYYY-MM-DD */
  shutdownDate: string
  /** negative once it is over */
  daysLeft: number
}

/** Finds the models that end soon, the nearest end first. */
export function findEndingModels(
  ids: readonly string[],
  dates: ReadonlyMap<string, string>,
  now: Date,
): EndingModel[] {
  const today = Date.parse(now.toISOString().slice(0, 10))
  return [...new Set(ids)]
    .flatMap((id) => {
      const shutdownDate = dates.get(id)
      if (shutdownDate === undefined) return []
      return [{ id, shutdownDate, daysLeft: (Date.parse(shutdownDate) - today) / dayMs }]
    })
    .filter(({ daysLeft }) => daysLeft <= warningDays)
    .toSorted((a, b) => a.daysLeft - b.daysLeft)
}

/**
 * What a deployment for a number of people needs. The counts of requests and tokens are those of `npm run cost`
 * (infra/operate/cost/units.ts); docs/deploy.md has the resulting table.
 */

/** Ten users who use up their own budgets; docs/deploy.md has the possible cost. */
const leastSiteTokensPerDay = 50_000_000
/** Five times the day of a user who writes 20 messages: documents and tools take several times the tokens of plain messages. */
const siteTokensPerUser = 540_000

/** Requests per second of all users together, and how many of them arrive at once. */
const leastRequestsPerSecond = 200
/** What an account allows at first (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html). */
const mostRequestsPerSecond = 10_000
/** A morning at which each of ten users opens the page within the same second. */
const requestsPerUserAndSecond = 0.2

/** Above, a secret for each connection is most of the bill (`npm run cost -- --users 500`). */
const mostUsersWithSecrets = 50

/** Above, replies get a reservation, so that nothing else in the account takes their place. */
const mostUsersWithoutReservation = 100
/** Twice the highest use that is expected: in the busiest hour each of eight users waits for a reply of a minute. */
const repliesPerUser = 0.25

/**
 * Defaults of settings by the number of people.
 * @param users undefined: not known
 */
export function deriveDefaults(users: number | undefined) {
  return {
    siteTokensPerDay: Math.max(leastSiteTokensPerDay, (users ?? 0) * siteTokensPerUser),
    requestsPerSecond: Math.min(
      mostRequestsPerSecond,
      Math.max(leastRequestsPerSecond, Math.ceil((users ?? 0) * requestsPerUserAndSecond)),
    ),
    vault: (users ?? 0) > mostUsersWithSecrets ? 'table' : 'secrets',
    chatConcurrency:
      users !== undefined && users > mostUsersWithoutReservation
        ? Math.ceil(users * repliesPerUser)
        : undefined,
  } as const
}

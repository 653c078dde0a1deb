import type { TestOptions } from 'vitest'

/**
 * Options of a matrix whose cases mostly prove the same, such as each malformed body on each route: `npm test` runs every third one,
 * `npm run test:trials` the others.
 */
export const runEveryThird = (index: number): TestOptions => (index % 3 === 0 ? {} : { tags: 'trial' })

import { expect, it } from 'vitest'
import {
  approvalLapsesAfterMs,
  maxCsvRows,
  maxFileBytes,
  maxFilesPerMessage,
  maxMediaBytes,
  maxMessageCharacters,
  minPasswordCharacters,
  shareDays,
  taskLapsesAfterMs,
} from '../../shared/limits.ts'
import { heartbeatEveryMs, lostAfterMs } from '../../functions/conversations/store/liveness.ts'
import { claimMs } from '../../functions/files/reading-repository.ts'
import { queryLimits } from '../../functions/documents/tables/run-query.ts'
import {
  anonymousCodesPerMinute,
  callsPerMinute,
  eventStreamsAtOnce,
  exportsPerDay,
  imagesPerDay,
  importRequestsPerDay,
  maxCallsPerRound,
  maxWebSearches,
  repliesAtOnce,
  storageGbPerUser,
  tokensPerDay,
  uploadsPerDay,
} from '../../functions/platform/limits.ts'
import { waitLimitsMs } from '../../functions/platform/wait-limits.ts'
import { dailyRefreshAfterMs } from '../../functions/integrations/credentials/refresh-connections.ts'
import { read } from './doc-names.ts'

/** Figures of the documents with the constants that they come from: a document that says another figure is found. */
const { chat, write, read: reads } = callsPerMinute
const [week, month, year] = shareDays
const number = (value: number) => value.toLocaleString('en')
const seconds = (ms: number) => String(ms / 1_000)
const megabytes = (bytes: number) => String(bytes / 1024 ** 2)
const hours = (ms: number) => String(ms / 3_600_000)

it.each([
  ['api', `\`chat\` ${chat} calls a minute, \`write\` ${write}, \`read\` ${reads}`],
  ['api', `${repliesAtOnce} replies at once, ${eventStreamsAtOnce} event streams at once`],
  ['api', `${number(importRequestsPerDay)} requests of imports per day`],
  ['api', `up to ${number(maxMessageCharacters)} characters and ${maxFilesPerMessage} files`],
  ['api', `Requests expire after ${hours(approvalLapsesAfterMs)} hours`],
  ['api', `expires after ${hours(taskLapsesAfterMs / 24)} days`],
  ['architecture', `${maxCallsPerRound} calls each`],
  ['architecture', `a heartbeat every ${seconds(heartbeatEveryMs)} s`],
  ['architecture', `Without a heartbeat for ${seconds(lostAfterMs)} s`],
  ['architecture', `waits up to ${seconds(waitLimitsMs.reading)} s for files`],
  ['architecture', `claims the row for ${claimMs === 60_000 ? 'a minute' : claimMs} at a time`],
  ['architecture', `after ${seconds(queryLimits.timeMs)} s of the processor or ${queryLimits.memoryMb} MB`],
  [
    'deploy',
    `${chat} messages, ${write} changes and ${reads} reads a minute, ${eventStreamsAtOnce} event streams at once, ${uploadsPerDay} uploads and ${exportsPerDay} exports a day`,
  ],
  ['deploy', `${anonymousCodesPerMinute} backup codes a minute without a sign-in`],
  ['deploy', `| \`tokensPerDay\` | ${number(tokensPerDay)} |`],
  ['deploy', `| \`repliesAtOnce\` | ${repliesAtOnce} |`],
  ['deploy', `| \`imagesPerDay\` | ${imagesPerDay} |`],
  ['deploy', `| \`storageGbPerUser\` | ${storageGbPerUser} |`],
  ['deploy', `| \`minPasswordCharacters\` | \`${minPasswordCharacters}\` |`],
  ['local', `| \`TOKENS_PER_DAY\` | ${number(tokensPerDay)} times the factor |`],
  ['local', `| \`REPLIES_AT_ONCE\` | ${repliesAtOnce} times the factor |`],
  ['local', `| \`IMAGES_PER_DAY\` | ${imagesPerDay} times the factor |`],
  ['local', `| \`STORAGE_GB_PER_USER\` | \`${storageGbPerUser}\` |`],
  ['models', `at most ${maxWebSearches} times for a reply`],
  ['operations', `those not refreshed for ${hours(dailyRefreshAfterMs)} hours`],
  ['security', `${anonymousCodesPerMinute} a minute`],
  ['tools', `within ${seconds(waitLimitsMs.toolList)} s, or ${seconds(waitLimitsMs.toolListAgain)} s`],
  ['user-guide', `behind a link for ${week}, ${month} or ${year} days`],
  ['user-guide', `${megabytes(maxFileBytes)} MB each (${megabytes(maxMediaBytes)} MB for sound and film`],
  ['user-guide', `up to ${number(maxCsvRows)}`],
])('docs/%s.md says “%s”', (page, figure) => {
  // not toContain, which would print the whole document
  expect(read(`docs/${page}.md`).replaceAll(/\s+/g, ' ').includes(figure)).toBe(true)
})

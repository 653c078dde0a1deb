import { defineSentences } from './to-sentence.ts'

/** What went wrong while the catalogue was synchronised. */
export const registrySentences = {
  'sync_failed.unknown': 'The sync failed',
  'sync_failed.no_result': 'The running sync ended without a result',
  'sync_failed.running': 'The running sync has not ended yet',
  'sync_part.unfinished': 'The MCP Registry was not read to its end. The next sync continues from there.',
  'sync_part.unreadable': '{count} entries of the MCP Registry could not be read',
  'sync_part.imitations':
    '{count} entries are not listed: their name is, or looks like, a built-in integration’s',
  'sync_part.directory': '{name}: {problem}',
  'github_failed.no_answer': 'GitHub API error: no answer',
  'github_failed.status': 'GitHub API error: {status}',
  'github_failed.rate_limit': 'GitHub API error: {status} (rate limit)',
  'github_failed.rate_limit_until': 'GitHub API error: {status} (rate limit until {time} UTC)',
  'github_failed.too_large': 'GitHub API error: the answer is too large',
  'github_failed.unreadable': 'GitHub API error: the answer could not be read',
  'github_failed.broke_off': 'GitHub API error: the answer broke off',
  'github_failed.empty': 'GitHub API error: the listing is empty',
  'mcp_registry_failed.status': 'MCP Registry error: {status}',
  'mcp_registry_failed.unusable': 'MCP Registry error: no usable answer',
} as const

export const sayRegistry = defineSentences(registrySentences)

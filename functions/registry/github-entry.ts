import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { popularity } from '#shared/registry-search.ts'
import type { RepositoryStatistics } from './github.ts'
import { parseReadme } from './readme.ts'
import type { StoredEntry } from './stored-entry.ts'
import { httpsLink, plainLine } from '../platform/untrusted-text.ts'

const packageFacts = z.object({
  description: z.string().optional().catch(undefined),
  homepage: z.string().optional().catch(undefined),
})

/** Builds the entry of a server of the official repository. */
export function buildGitHubEntry(
  directory: string,
  files: { readme: string | undefined; packageJson: string | undefined },
  statistics: RepositoryStatistics | undefined,
  now: Date,
): StoredEntry {
  const facts = parsePackage(files.packageJson)
  const readme = parseReadme(files.readme ?? '')
  const page = `https://github.com/modelcontextprotocol/servers/tree/main/src/${directory}`
  return {
    id: `github-mcp-${directory}`,
    name: buildTitle(directory, readme.title),
    description: plainLine(facts.description ?? readme.description ?? `MCP server ${directory}`, 300),
    provider: 'Model Context Protocol',
    auth_type: 'api_key',
    config: {
      features: [],
      popularity: popularity(statistics),
      source: 'github',
      repository: page,
      server_name: directory,
      documentation_url: httpsLink(facts.homepage) ?? page,
      setup_instructions: readme.setupInstructions,
      required_credentials: readme.requiredCredentials,
      ...(statistics && { github_stars: statistics.stars }),
      last_updated: now.toISOString(),
    },
    updated_at: now.toISOString(),
  }
}

/** The entry with newer statistics of the repository. */
export const withStatistics = (entry: StoredEntry, statistics: RepositoryStatistics): StoredEntry => ({
  ...entry,
  config: { ...entry.config, popularity: popularity(statistics), github_stars: statistics.stars },
})

function parsePackage(text: string | undefined): z.output<typeof packageFacts> {
  return packageFacts.safeParse(parseJson(text ?? '')).data ?? {}
}

/**
 * `sequential-thinking` becomes `Sequential Thinking`; so does `sequentialthinking` if the README's heading begins with these words.
 */
function buildTitle(directory: string, heading: string | undefined): string {
  return (
    readWords(directory, heading ?? '') ??
    directory
      .split(/[-_]+/)
      .filter((word) => word !== '')
      .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
      .join(' ')
  )
}

/** @returns the first words of the heading that spell the directory's name; undefined if none do */
function readWords(directory: string, heading: string): string | undefined {
  const letters = directory.toLowerCase().replaceAll(/[-_]/g, '')
  const words = heading.split(/\s+/)
  const end = words.findIndex(
    (_, at) =>
      words
        .slice(0, at + 1)
        .join('')
        .toLowerCase() === letters,
  )
  return end === -1 ? undefined : words.slice(0, end + 1).join(' ')
}

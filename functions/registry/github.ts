import { sayRegistry } from '#shared/sentences/registry.ts'
import * as z from 'zod'
import { readCappedJson } from '../platform/net/read-capped.ts'
import { GitHubFailed } from './errors.ts'

const timeoutMs = 10_000
/** largest time of a Date, in milliseconds */
const maxDateMs = 8.64e15
/** A listing has at most a thousand entries, about 1 MB. READMEs are truncated to less. */
const maxResponseBytes = 2 * 1024 * 1024
const repositoryPath = '/repos/modelcontextprotocol/servers'

const listing = z.array(z.object({ name: z.string(), type: z.string(), sha: z.string() }))
const file = z.object({ encoding: z.string(), content: z.string() })
const statistics = z.object({
  stargazers_count: z.number(),
  forks_count: z.number(),
  // the API's `watchers_count` is the number of stars
  subscribers_count: z.number().default(0),
})

/** Directories of the official servers repository, each with its content hash. */
export interface ServerListing {
  servers: { name: string; revision: string }[]
  /** for the next call of `listServers` */
  etag: string | undefined
}

export interface RepositoryStatistics {
  stars: number
  forks: number
  watchers: number
}

export interface GitHubOptions {
  /** root of the API, without a trailing slash */
  apiUrl: string
  /** returns a token if there is one; it allows 5,000 calls an hour instead of 60 */
  readToken: () => Promise<string | undefined>
}

/** Client of the parts of GitHub's API that the registry uses. */
export function gitHub({ apiUrl, readToken }: GitHubOptions) {
  const request = async (path: string, etag?: string) => {
    const response = await get(`${apiUrl}${path}`, { token: await readToken(), etag })
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status === 304 || response.status === 404) return response
    throw toError(response)
  }

  /** @returns the text of a file; undefined if it does not exist or cannot be read */
  async function readFile(path: string): Promise<string | undefined> {
    const response = await request(`${repositoryPath}/contents/src/${path}`)
    if (response.status === 404) return undefined
    const found = file.safeParse(await readJson(response).catch(ignoreTooLarge))
    // the response for a folder is a list; that for a file over 1 MB has no content
    if (!found.success || found.data.encoding !== 'base64') return undefined
    return Buffer.from(found.data.content, 'base64').toString('utf8')
  }

  return {
    /**
     * Lists the directories in `src` of the official servers repository.
     * @param etag of the last listing; an unchanged listing does not count towards the rate limit
     * @returns all directories, or 'unchanged'
     * @throws GitHubFailed
     */
    async listServers(etag: string | undefined): Promise<ServerListing | 'unchanged'> {
      const response = await request(`${repositoryPath}/contents/src`, etag)
      if (response.status === 304) return 'unchanged'
      if (response.status === 404) throw toError(response)
      const entries = parse(listing, await readJson(response))
      return {
        servers: entries
          .filter(({ type }) => type === 'dir')
          .map(({ name, sha }) => ({ name, revision: sha })),
        etag: response.headers.get('etag') ?? undefined,
      }
    },

    /**
     * Reads README.md and package.json of a server; either may be missing.
     * @throws GitHubFailed
     */
    async readServer(name: string): Promise<{ readme: string | undefined; packageJson: string | undefined }> {
      const [readme, packageJson] = await Promise.all([
        readFile(`${name}/README.md`),
        readFile(`${name}/package.json`),
      ])
      return { readme, packageJson }
    },

    /** @throws GitHubFailed */
    async statistics(): Promise<RepositoryStatistics> {
      const response = await request(repositoryPath)
      if (response.status === 404) throw toError(response)
      const { stargazers_count, forks_count, subscribers_count } = parse(statistics, await readJson(response))
      return { stars: stargazers_count, forks: forks_count, watchers: subscribers_count }
    },
  }
}

export type GitHub = ReturnType<typeof gitHub>

async function get(url: string, { token, etag }: { token: string | undefined; etag: string | undefined }) {
  try {
    return await fetch(url, {
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'juno-assistant',
        'x-github-api-version': '2022-11-28',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(etag && { 'if-none-match': etag }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    throw new GitHubFailed(sayRegistry('github_failed.no_answer'), { cause: error })
  }
}

/** Distinguishes the rate limit, which resets after a while, from other failures. */
function toError({ status, headers }: Response): GitHubFailed {
  const isRateLimited =
    status === 429 ||
    (status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')))
  if (!isRateLimited) return new GitHubFailed(sayRegistry('github_failed.status', { status }))
  const resetsAt = Number(headers.get('x-ratelimit-reset')) * 1_000
  const sentence =
    resetsAt > 0 && resetsAt < maxDateMs
      ? sayRegistry('github_failed.rate_limit_until', {
          status,
          time: new Date(resetsAt).toISOString().slice(11, 16),
        })
      : sayRegistry('github_failed.rate_limit', { status })
  return new GitHubFailed(sentence, { rateLimited: true })
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await readCappedJson(response, maxResponseBytes)
  } catch (error) {
    const { message } = error as Error
    const reason =
      message === 'the answer is too large'
        ? 'too_large'
        : message === 'the answer could not be read'
          ? 'unreadable'
          : 'broke_off'
    throw new GitHubFailed(sayRegistry(`github_failed.${reason}`), { cause: error })
  }
}

/** Treats a file that is too large as missing. @throws any other error */
function ignoreTooLarge(error: unknown): undefined {
  if (error instanceof GitHubFailed && error.sentence.params?.['reason'] === 'too_large') return undefined
  throw error
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new GitHubFailed(sayRegistry('github_failed.unreadable'), { cause: parsed.error })
}

import * as z from 'zod'
import { GitHubFailed } from './errors.ts'

const timeoutMs = 10_000
/** A listing of a thousand entries, which is all that this call ever gives, has about 1 MB. */
const maxAnswerBytes = 2 * 1024 * 1024

const listing = z.array(z.object({ name: z.string(), type: z.string(), sha: z.string() }))

/** Directories of the official servers repository, each with the hash of its content. */
export interface ServerListing {
  servers: { name: string; revision: string }[]
  /** hand in the next time */
  etag: string | undefined
}

export interface GitHubOptions {
  /** root of the API, without a slash at its end */
  apiUrl: string
  /** gives a token when there is one: 5,000 calls an hour instead of 60 */
  readToken: () => Promise<string | undefined>
}

/** The code host, as far as the registry asks it. */
export function gitHub({ apiUrl, readToken }: GitHubOptions) {
  return {
    /**
     * REG-29: the contents listing of the official servers repository, whose servers lie in `src`.
     * @param etag of the last listing; an unchanged one is not sent again and costs no call of the budget
     * @returns 'unchanged' or the directories, unfiltered
     * @throws GitHubFailed
     */
    async listServers(etag: string | undefined): Promise<ServerListing | 'unchanged'> {
      const url = `${apiUrl}/repos/modelcontextprotocol/servers/contents/src`
      const response = await get(url, { token: await readToken(), etag })
      if (response.status === 304) return 'unchanged'
      if (!response.ok) {
        await response.body?.cancel()
        throw new GitHubFailed(`GitHub API error: ${response.status}`)
      }
      const entries = parseListing(await readCapped(response))
      return {
        servers: entries
          .filter(({ type }) => type === 'dir')
          .map(({ name, sha }) => ({ name, revision: sha })),
        etag: response.headers.get('etag') ?? undefined,
      }
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
    throw new GitHubFailed('GitHub API error: no answer', { cause: error })
  }
}

async function readCapped(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > maxAnswerBytes) throw new GitHubFailed('GitHub API error: the answer is too large')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof GitHubFailed) throw error
    throw new GitHubFailed('GitHub API error: the answer broke off', { cause: error })
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseListing(text: string): z.output<typeof listing> {
  try {
    return listing.parse(JSON.parse(text))
  } catch (error) {
    throw new GitHubFailed('GitHub API error: the answer could not be read', { cause: error })
  }
}

import * as z from 'zod'
import { count, strict, text, type DocumentedRequests } from './documented-forms.ts'

// https://docs.github.com/rest: User-Agent is required
const githubHeaders = z.looseObject({ 'user-agent': text })
const githubIssues = strict({
  state: z.enum(['open', 'closed', 'all']).optional(),
  sort: z.enum(['created', 'updated', 'comments']).optional(),
  per_page: count(100),
  page: count(1_000),
})

const trackers: DocumentedRequests = {
  github: {
    'GET /user/repos': {
      headers: githubHeaders,
      query: strict({
        sort: z.enum(['created', 'updated', 'pushed', 'full_name']).optional(),
        per_page: count(100),
        page: count(1_000),
      }),
    },
    'GET /issues': { headers: githubHeaders, query: githubIssues },
    'GET /repos/:owner/:name/issues': { headers: githubHeaders, query: githubIssues },
    'POST /repos/:owner/:name/issues': {
      headers: githubHeaders,
      body: strict({ title: text, body: z.string().max(65_536).optional() }),
    },
  },
}

/** Issues, code and wikis. */
export const trackersRequests: DocumentedRequests = { ...trackers }

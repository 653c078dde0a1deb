import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import type { Operation, PublishedOAuth } from './contract.ts'
import { withExample } from './contract.ts'

/** https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/: a site may be listed once for each of its products */
export const accessibleResources: Operation = {
  response: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      url: withExample(z.string(), 'https://example.atlassian.net'),
      scopes: z.array(z.string()),
    }),
  ),
}
/** Seen in issue threads: https://github.com/Troubladore/mcp-atlassian/issues/335 */
export const scopeMismatch = () => json(401, { code: 401, message: 'Unauthorized; scope does not match' })

export const atlassianOAuth: PublishedOAuth = {
  parameters: ['audience', 'prompt'],
  scopes: ['offline_access'],
}

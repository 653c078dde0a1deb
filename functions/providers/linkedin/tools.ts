import * as z from 'zod'
import { type ApiClient, capability, type Capability } from '../capability.ts'
import { linkField, longText, optionalField } from '../schemas.ts'

const headers = { 'x-restli-protocol-version': '2.0.0' }
const profile = z.object({ sub: z.string(), name: optionalField, email: optionalField, picture: linkField })
/** The id of a new post is documented as a header; the body repeats it in practice. */
const toPostId = (body: unknown, responseHeaders: Headers) =>
  responseHeaders.get('x-restli-id') ?? z.object({ id: z.string() }).safeParse(body).data?.id
const readProfile = (api: ApiClient) => api.get(profile, '/v2/userinfo')

export const tools: readonly Capability[] = [
  capability({
    id: 'get_profile',
    name: 'Read the profile',
    description: 'Reads the LinkedIn profile of the user: name, e-mail address and picture.',
    parameters: z.object({}),
    examples: ['What does my LinkedIn profile say?'],
    async run(api) {
      const { name, email, picture } = await readProfile(api)
      return { name, email, picture }
    },
  }),
  capability({
    id: 'share_post',
    name: 'Share a post',
    description: 'Shares (publishes) a post on LinkedIn.',
    parameters: z.object({
      text: longText('what it says', 3_000).min(1),
      visibility: z.enum(['public', 'connections']).default('public').describe('who may read it'),
    }),
    examples: ['Post on LinkedIn that we are hiring'],
    writes: true,
    async run(api, { text, visibility }) {
      const { sub } = await readProfile(api)
      const json = {
        author: `urn:li:person:${sub}`,
        lifecycleState: 'PUBLISHED',
        specificContent: {
          'com.linkedin.ugc.ShareContent': { shareCommentary: { text }, shareMediaCategory: 'NONE' },
        },
        visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': visibility.toUpperCase() },
      }
      const id = await api.post(z.unknown(), '/v2/ugcPosts', { json, headers, toResult: toPostId })
      // published anyway
      if (typeof id !== 'string') return { shared: true }
      return { shared: true, link: `https://www.linkedin.com/feed/update/${encodeURIComponent(id)}/`, id }
    },
  }),
]

import * as z from 'zod'
import type { ConnectedApi } from './api.ts'
import { capability, type Capability } from './capability.ts'
import { httpsLink } from '../platform/untrusted-text.ts'
import { longText, shortText } from './schemas.ts'

const headers = { 'x-restli-protocol-version': '2.0.0' }
const profile = z.object({
  sub: z.string(),
  name: z.string().default(''),
  email: z.string().optional(),
  picture: z.string().optional(),
})
/** The id of a new post is documented as a header; the body repeats it in practice. */
const toPostId = (body: unknown, responseHeaders: Headers) =>
  responseHeaders.get('x-restli-id') ?? z.object({ id: z.string() }).safeParse(body).data?.id
const readProfile = async (api: ConnectedApi, signal: AbortSignal) =>
  profile.parse(await api.call('/v2/userinfo', {}, signal))

export const linkedin: readonly Capability[] = [
  capability({
    id: 'get_profile',
    name: 'Read the profile',
    description: 'Reads the LinkedIn profile of the user: name, e-mail address and picture.',
    parameters: z.object({}),
    examples: ['What does my LinkedIn profile say?'],
    async run(api, _, signal) {
      const { name, email, picture } = await readProfile(api, signal)
      return { name: shortText(name), email: shortText(email), picture: httpsLink(picture) }
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
    async run(api, { text, visibility }, signal) {
      const { sub } = await readProfile(api, signal)
      const json = {
        author: `urn:li:person:${sub}`,
        lifecycleState: 'PUBLISHED',
        specificContent: {
          'com.linkedin.ugc.ShareContent': { shareCommentary: { text }, shareMediaCategory: 'NONE' },
        },
        visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': visibility.toUpperCase() },
      }
      const id = await api.call('/v2/ugcPosts', { method: 'POST', json, headers, toResult: toPostId }, signal)
      // published anyway
      if (typeof id !== 'string') return { shared: true }
      return { shared: true, link: `https://www.linkedin.com/feed/update/${encodeURIComponent(id)}/`, id }
    },
  }),
]

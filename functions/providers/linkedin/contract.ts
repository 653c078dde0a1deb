import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/share-on-linkedin */
export const contract: Contract = {
  sources: [
    {
      name: 'Share on LinkedIn, and Sign In with LinkedIn using OpenID Connect',
      url: 'https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/share-on-linkedin',
      version: 'read 2026-11',
      checkedOn: '2026-11-20',
    },
    {
      name: 'linkedin-api-js-client (examples/create-posts.ts)',
      url: 'https://github.com/linkedin-developers/linkedin-api-js-client',
      version: 'main branch',
      checkedOn: '2026-11-20',
    },
  ],
  api: {
    version: 'v2, unversioned',
    supportedUntil: null,
    source: 'https://learn.microsoft.com/linkedin/marketing/community-management/shares/ugc-post-api',
  },
  unverified: ['when ugcPosts, which is called legacy, ends for the self-serve product'],
  oauth: { scopes: ['openid', 'email'] },
  operations: {
    'GET /v2/userinfo': {
      scopes: ['profile'],
      response: z.object({
        sub: z.string(),
        name: z.string().optional(),
        email: z.string().optional(),
        picture: withExample(z.string(), 'https://media.licdn.com/photo.jpg').optional(),
      }),
    },
    'POST /v2/ugcPosts': {
      scopes: ['w_member_social'],
      headers: z.looseObject({ 'x-restli-protocol-version': z.literal('2.0.0') }),
      body: strictObject({
        author: nonEmptyText.startsWith('urn:li:person:'),
        lifecycleState: z.literal('PUBLISHED'),
        specificContent: strictObject({
          'com.linkedin.ugc.ShareContent': strictObject({
            shareCommentary: strictObject({ text: nonEmptyText }),
            shareMediaCategory: z.enum(['NONE', 'ARTICLE', 'IMAGE']),
          }),
        }),
        visibility: strictObject({
          'com.linkedin.ugc.MemberNetworkVisibility': z.enum(['PUBLIC', 'CONNECTIONS']),
        }),
      }),
      // the id is in the header X-RestLi-Id
      response: z.object({ id: z.string().optional() }).optional(),
    },
  },
  invalid: (message) => json(400, { message, status: 400 }),
  forbidden: () =>
    json(403, {
      serviceErrorCode: 100,
      message: 'Not enough permissions to access this resource',
      status: 403,
    }),
  notFound: () => json(404, { serviceErrorCode: 0, message: 'Could not find entity', status: 404 }),
}

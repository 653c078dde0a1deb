import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  flag,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const cursor = { limit: optionalIntUpTo(999), cursor: nonEmptyText.optional() }
// "cursor": an empty, null or missing next_cursor ends the list
const nextPage = z.object({ next_cursor: z.string().nullish() }).optional()
const ok = { ok: z.literal(true) }
const timestamp = withExample(z.string().regex(/^\d+\.\d{6}$/), '1763600000.000100')
const channelId = withExample(z.string().regex(/^[CGD][A-Z0-9]+$/), 'C02RANDOM')

/** Methods of the Web API: https://docs.slack.dev/reference/methods */
export const contract: Contract = {
  sources: [
    {
      name: '@slack/web-api',
      url: 'https://github.com/slackapi/node-slack-sdk',
      version: '8.2.0',
      checkedOn: '2026-11-21',
    },
    {
      name: 'slack-api-specs (web-api/slack_web_openapi_v2.json)',
      url: 'https://github.com/slackapi/slack-api-specs',
      version: '2021-02, archived',
      checkedOn: '2026-11-21',
    },
  ],
  api: { version: 'unversioned', supportedUntil: null, source: 'https://docs.slack.dev/reference/methods' },
  oauth: { parameters: ['user_scope', 'team'], pkce: true },
  operations: {
    'GET /conversations.list': {
      scopes: ['channels:read'],
      query: strictObject({
        types: z.string().regex(/^(?:public_channel|private_channel|mpim|im|,)+$/),
        exclude_archived: flag.optional(),
        ...cursor,
      }),
      response: z.object({
        ...ok,
        channels: z.array(
          z.object({
            id: channelId,
            name: withExample(z.string(), 'random'),
            is_member: z.boolean().optional(),
            num_members: z.number().int().optional(),
            topic: z.object({ value: z.string() }).optional(),
          }),
        ),
        response_metadata: nextPage,
      }),
    },
    // "View messages … in public channels that your Slack app has been added to"; others answer not_in_channel
    'GET /conversations.history': {
      scopes: ['channels:history'],
      query: strictObject({ channel: channelId, ...cursor }),
      response: z.object({
        ...ok,
        messages: z.array(
          z.object({
            type: z.literal('message'),
            ts: timestamp,
            // absent for bots without a user, and for some events
            user: z.string().optional(),
            text: z.string().optional(),
          }),
        ),
        has_more: z.boolean().optional(),
        response_metadata: nextPage,
      }),
    },
    'GET /users.info': {
      scopes: ['users:read'],
      query: strictObject({ user: nonEmptyText }),
      response: z.object({
        ...ok,
        user: z.object({ id: z.string(), name: z.string(), real_name: z.string().optional() }),
      }),
    },
    'POST /chat.postMessage': {
      scopes: ['chat:write'],
      body: strictObject({ channel: channelId, text: nonEmptyText.max(40_000) }),
      response: z.object({ ...ok, channel: channelId, ts: timestamp }),
    },
  },
  failure: z.object({ ok: z.literal(false), error: nonEmptyText }),
  // https://docs.slack.dev/apis/web-api/#responses
  invalid: (message) =>
    json(200, { ok: false, error: 'invalid_arguments', response_metadata: { messages: [message] } }),
  forbidden: (scopes) => json(200, { ok: false, error: 'missing_scope', needed: scopes.join(',') }),
  notFound: () => json(200, { ok: false, error: 'unknown_method' }),
}

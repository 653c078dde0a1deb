import * as z from 'zod'
import { count, email, flag, strict, text, type DocumentedRequests } from './documented-forms.ts'

const money = strict({ currency_code: z.string().length(3), value: z.string().regex(/^\d+(\.\d+)?$/) })
const shops: DocumentedRequests = {
  // https://developer.paypal.com/docs/api/invoicing/v2/
  paypal: {
    'GET /v2/invoicing/invoices': {
      query: strict({ page: count(1_000), page_size: count(100), total_required: flag.optional() }),
    },
    'POST /v2/invoicing/invoices': {
      body: strict({
        detail: strict({ currency_code: z.string().length(3), note: z.string().max(4_000).optional() }),
        primary_recipients: z.array(strict({ billing_info: strict({ email_address: email }) })).max(100),
        items: z
          .array(strict({ name: text.max(200), quantity: z.string().regex(/^\d+$/), unit_amount: money }))
          .max(100),
      }),
    },
  },
}

const customers: DocumentedRequests = {
  // https://www.twilio.com/docs/messaging/api/message-resource
  twilio: {
    'GET /Accounts/:sid/Messages.json': { query: strict({ PageSize: count(1_000), Page: text.optional() }) },
    'GET /Accounts/:sid/IncomingPhoneNumbers.json': { query: strict({ PageSize: count(1_000) }) },
    'POST /Accounts/:sid/Messages.json': {
      form: strict({ To: text, From: text, Body: text.max(1_600) }),
    },
  },
  // https://mailchimp.com/developer/marketing/api/lists/
  mailchimp: {
    'GET /account/metadata': {},
    'GET /lists': {
      query: strict({ count: count(1_000), fields: text.optional(), offset: text.optional() }),
    },
    'GET /lists/:id/members': {
      query: strict({ count: count(1_000), fields: text.optional(), offset: text.optional() }),
    },
    'POST /lists/:id/members': {
      body: strict({
        email_address: text,
        status: z.enum(['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional']),
      }),
    },
  },
  // https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations
  intercom: {
    'GET /me': {},
    'GET /conversations': { query: strict({ per_page: count(150), starting_after: text.optional() }) },
    'POST /conversations/:id/reply': {
      body: strict({
        message_type: z.enum(['comment', 'note']),
        type: z.literal('admin'),
        admin_id: text,
        body: text,
      }),
    },
  },
}

const dropboxPath = z.string().regex(/^(?:\/[^/]+)*$/)
const contents: DocumentedRequests = {
  // https://www.dropbox.com/developers/documentation/http/documentation
  dropbox: {
    'POST /files/list_folder': {
      body: strict({ path: dropboxPath, limit: z.number().int().min(1).max(2_000).optional() }),
    },
    'POST /files/search_v2': {
      body: strict({
        query: text.max(1_000),
        options: strict({
          path: dropboxPath.optional(),
          max_results: z.number().int().min(1).max(1_000).optional(),
          file_status: z.enum(['active', 'deleted']).optional(),
        }).optional(),
      }),
    },
    'POST /content/files/upload': {
      type: /^application\/octet-stream$/,
      headers: z.looseObject({
        'dropbox-api-arg': z
          .string()
          .regex(/^[\x20-\x7e]*$/)
          .transform((value): unknown => JSON.parse(value))
          .pipe(
            strict({
              path: dropboxPath,
              mode: z.enum(['add', 'overwrite']).optional(),
              autorename: z.boolean().optional(),
            }),
          ),
      }),
    },
  },
  // https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/share-on-linkedin
  linkedin: {
    'GET /v2/userinfo': {},
    'POST /v2/ugcPosts': {
      body: strict({
        author: text,
        lifecycleState: z.literal('PUBLISHED'),
        specificContent: strict({
          'com.linkedin.ugc.ShareContent': strict({
            shareCommentary: strict({ text }),
            shareMediaCategory: z.enum(['NONE', 'ARTICLE', 'IMAGE']),
          }),
        }),
        visibility: strict({ 'com.linkedin.ugc.MemberNetworkVisibility': z.enum(['PUBLIC', 'CONNECTIONS']) }),
      }),
    },
  },
  // https://developers.figma.com/docs/rest-api/file-endpoints/
  figma: {
    'GET /files/:key': { query: strict({ depth: count(100) }) },
    'GET /files/:key/comments': {},
  },
  // https://www.typeform.com/developers/create/reference/retrieve-forms/, …/responses/reference/retrieve-responses/
  typeform: {
    'GET /forms': { query: strict({ page_size: count(200), search: text.optional(), page: count(1_000) }) },
    'GET /forms/:id': {},
    'GET /forms/:id/responses': { query: strict({ page_size: count(1_000), before: text.optional() }) },
  },
}

/** Shops, customers, forms and tables. */
export const salesRequests: DocumentedRequests = { ...shops, ...customers, ...contents }

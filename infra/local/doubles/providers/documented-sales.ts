import * as z from 'zod'
import { count, email, flag, graphql, strict, text, type DocumentedRequests } from './documented-forms.ts'

const shopifyWords =
  'query Products Orders first String Int products orders sortKey UPDATED_AT CREATED_AT reverse true nodes id title status totalInventory priceRangeV2 minVariantPrice amount currencyCode name createdAt displayFinancialStatus displayFulfillmentStatus totalPriceSet shopMoney pageInfo hasNextPage'
const shops: DocumentedRequests = {
  // https://shopify.dev/docs/api/admin-graphql
  shopify: {
    'POST ': {
      body: graphql(
        shopifyWords,
        strict({ first: z.number().int().min(1).max(250), query: text.optional() }),
      ),
    },
  },
  // https://docs.stripe.com/api: an unknown parameter is an error
  stripe: {
    'GET /payment_intents': { query: strict({ limit: count(100), starting_after: text.optional() }) },
    'GET /customers': {
      query: strict({ email: text.optional(), limit: count(100), starting_after: text.optional() }),
    },
    'POST /customers': { form: strict({ name: text.optional(), email: text.optional() }) },
  },
}

const customers: DocumentedRequests = {
  // https://developers.hubspot.com/docs/api-reference/crm-contacts-v3
  hubspot: Object.fromEntries(
    ['contacts', 'deals'].map((name) => [
      `GET /crm/objects/2026-03/${name}`,
      {
        query: strict({
          limit: count(100),
          properties: text.optional(),
          archived: flag.optional(),
          after: text.optional(),
        }),
      },
    ]),
  ),
  // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/: an unknown field is INVALID_FIELD
  salesforce: {
    'GET /query': { query: strict({ q: text }) },
    'POST /sobjects/Lead': {
      body: strict({
        LastName: text.max(80),
        Company: text.max(255),
        FirstName: text.max(40).optional(),
        Email: email.max(80).optional(),
      }),
    },
  },
}

const contents: DocumentedRequests = {
  // https://airtable.com/developers/web/api/list-records
  airtable: {
    'GET /meta/bases': { query: strict({ offset: text.optional() }) },
    'GET /meta/bases/:id/tables': {},
    'GET /:base/:table': { query: strict({ pageSize: count(100), offset: text.optional() }) },
    'POST /:base/:table': {
      body: strict({ fields: z.record(z.string(), z.unknown()), typecast: z.boolean().optional() }),
    },
  },
  // https://discord.com/developers/docs/reference#user-agent
  discord: {
    'GET /users/@me': { headers: z.looseObject({ 'user-agent': z.string().startsWith('DiscordBot (') }) },
    'GET /users/@me/guilds': {
      headers: z.looseObject({ 'user-agent': z.string().startsWith('DiscordBot (') }),
      query: strict({ limit: count(200), with_counts: flag.optional() }),
    },
  },
}

/** Shops, customers, forms and tables. */
export const salesRequests: DocumentedRequests = { ...shops, ...customers, ...contents }

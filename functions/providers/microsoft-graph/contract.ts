import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
  time,
} from '../../../test/support/provider-contracts/contract.ts'

const page = {
  $top: optionalIntUpTo(1_000),
  $select: nonEmptyText.optional(),
  $skip: nonEmptyText.optional(),
}
const list = <Row extends z.ZodType>(row: Row) =>
  z.object({ value: z.array(row), '@odata.nextLink': z.string().optional() })
const date = withExample(z.string(), '2026-11-19T08:30:00Z')
const link = withExample(z.string(), 'https://outlook.office365.com/owa/?itemid=1')
const dateTimeTimeZone = z.object({
  dateTime: withExample(z.string(), '2026-12-01T10:00:00.0000000'),
  timeZone: z.string().nullable().optional(),
})
const file = z.object({
  id: z.string(),
  name: z.string().nullable().optional(),
  size: z.number().int().nullable().optional(),
  lastModifiedDateTime: date.optional(),
  webUrl: link.nullable().optional(),
  folder: z.object({}).nullable().optional(),
})

const message = {
  id: z.string(),
  subject: z.string().nullable().optional(),
  from: z
    .object({
      emailAddress: z
        .object({ name: z.string().nullable().optional(), address: z.string().nullable().optional() })
        .nullable()
        .optional(),
    })
    .nullable()
    .optional(),
  receivedDateTime: date.nullable().optional(),
  bodyPreview: z.string().nullable().optional(),
  isRead: z.boolean().nullable().optional(),
}
/** https://learn.microsoft.com/graph/api/resources/attachment: what files, mails and links to files have in common */
const attachmentFields = ['id', 'name', 'contentType', 'size', 'isInline', 'lastModifiedDateTime']
const findUnknownField = (expand: string) =>
  /^attachments\(\$select=(.*)\)$/
    .exec(expand)?.[1]
    ?.split(',')
    .find((name) => !attachmentFields.includes(name))

/** https://learn.microsoft.com/graph/api/overview */
export const contract: Contract = {
  sources: [
    {
      name: '@microsoft/microsoft-graph-types',
      url: 'https://github.com/microsoftgraph/msgraph-typescript-typings',
      version: '2.43.1',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: 'v1.0',
    supportedUntil: null,
    source: 'https://learn.microsoft.com/graph/versioning-and-support',
  },
  oauth: {
    parameters: ['response_mode', 'prompt', 'login_hint'],
    scopes: ['offline_access'],
    pkce: true,
  },
  readsOnly: 'the scopes that are asked for only read',
  operations: {
    'GET /me/mailFolders/inbox/messages': {
      scopes: ['Mail.Read'],
      query: strictObject({
        ...page,
        $search: z
          .string()
          .regex(/^".*"$/)
          .optional(),
        $orderby: nonEmptyText.optional(),
      }).refine(({ $search, $orderby }) => $search === undefined || $orderby === undefined, {
        message: "The query parameter '$orderBy' is not supported with '$search'.",
      }),
      response: list(z.object(message)),
    },
    // https://learn.microsoft.com/graph/api/message-get
    'GET /me/messages/:id': {
      scopes: ['Mail.Read'],
      query: strictObject({
        $select: nonEmptyText.optional(),
        $expand: z
          .string()
          .regex(/^attachments(?:\(\$select=[\w,]+\))?$/)
          .refine((expand) => findUnknownField(expand) === undefined, {
            // microsoftgraph/microsoft-graph-explorer-v4#3916
            error: ({ input }) =>
              `Could not find a property named '${findUnknownField(String(input))}' on type 'microsoft.graph.attachment'.`,
          })
          .optional(),
      }),
      response: z.object({
        ...message,
        // HTML, or text where the mail is one (microsoft-graph-docs#12595)
        body: z
          .object({
            contentType: z.enum(['text', 'html']).nullable().optional(),
            content: z.string().nullable().optional(),
          })
          .nullable()
          .optional(),
        attachments: z
          .array(
            z.object({
              '@odata.type': withExample(z.string(), '#microsoft.graph.fileAttachment').optional(),
              name: z.string().nullable().optional(),
              contentType: z.string().nullable().optional(),
              size: z.number().int().optional(),
              isInline: z.boolean().optional(),
            }),
          )
          .optional(),
      }),
    },
    'GET /me/calendarView': {
      scopes: ['Calendars.Read'],
      // times come in the zone of this header
      headers: z.looseObject({ prefer: z.literal('outlook.timezone="UTC"') }),
      query: strictObject({
        ...page,
        startDateTime: time,
        endDateTime: time,
        $orderby: nonEmptyText.optional(),
      }),
      response: list(
        z.object({
          id: z.string(),
          subject: z.string().nullable().optional(),
          isAllDay: z.boolean().nullable().optional(),
          start: dateTimeTimeZone.nullable().optional(),
          end: dateTimeTimeZone.nullable().optional(),
          location: z.object({ displayName: z.string().nullable().optional() }).nullable().optional(),
          webLink: link.nullable().optional(),
        }),
      ),
    },
    'GET /me/drive/root/children': {
      scopes: ['Files.Read'],
      query: strictObject(page),
      response: list(file),
    },
    "GET /me/drive/root/search(q=':words')": {
      scopes: ['Files.Read'],
      query: strictObject(page),
      response: list(file),
    },
  },
  invalid: (message) => json(400, { error: { code: 'BadRequest', message } }),
  forbidden: () =>
    json(403, {
      error: { code: 'ErrorAccessDenied', message: 'Access is denied. Check credentials and try again.' },
    }),
  notFound: () =>
    json(404, { error: { code: 'ResourceNotFound', message: 'Resource could not be discovered.' } }),
}

import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { putRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { updateIf } from '../../platform/dynamodb/update-row.ts'
import type { RemoteServer } from './credential-repository.ts'

/** An authorization server, and the origin of the MCP server that it issues tokens for: each pair has a client of its own. */
export interface RegistrationKey {
  issuer: string
  resourceOrigin: string
}

/** The key of the client that is registered for a remote server. */
export const toRegistrationKey = ({
  issuer,
  url,
}: Pick<RemoteServer, 'issuer' | 'url'>): RegistrationKey => ({
  issuer,
  resourceOrigin: new URL(url).origin,
})

/** Parameters of an authorization request that a server may refuse, and that a second request leaves out. */
export const optionalParameters = ['prompt', 'offline_access', 'resource', 'scope'] as const
export type OptionalParameter = (typeof optionalParameters)[number]

const isOptionalParameter = (name: string): name is OptionalParameter =>
  (optionalParameters as readonly string[]).includes(name)

/** Reads the stored names. */
export const toOptionalParameters = (names: readonly string[]): OptionalParameter[] =>
  names.filter(isOptionalParameter)

const partition = (issuer: string) => `CLIENT#${createHash('sha256').update(issuer).digest('hex')}`
const clientKey = ({ issuer, resourceOrigin }: RegistrationKey) => ({
  PK: partition(issuer),
  SK: `CLIENT#${resourceOrigin}`,
})
const resourcePrefix = 'RESOURCE#'
const refusedPrefix = 'REFUSED#'

const row = z.object({
  issuer: z.string(),
  resource_origin: z.string(),
  client_id: z.string(),
  client_auth: z.enum(['post', 'basic']),
  redirect_uri: z.string(),
  /** the encrypted client secret, if the server issued one */
  sealed: z.string().optional(),
  expires_at_seconds: z.number(),
  /** whether the server has said that it knows the client no longer */
  is_forgotten: z.boolean().optional().catch(undefined),
  /** when another client was last registered in its place, or begun to be */
  renewed_at_seconds: z.number().optional().catch(undefined),
})
export type RegisteredClient = z.output<typeof row>

/** At most one renewal of a client in this time. */
const renewalSeconds = 3_600

/** Half a year after the last sign-in. */
const resourceLifetimeSeconds = 183 * 86_400

/** Data about authorization servers, shared by all users: the registered client and the resources that use the server. */
export const registeredClientRepository = (table: Table) => {
  const { client, name: TableName } = table
  const put = (Item: Record<string, unknown>) => putRow(table, Item)
  const list = async (issuer: string, prefix: string, nowSeconds: number) =>
    (await queryAll(table, { partition: partition(issuer), prefix })).filter(
      ({ expires_at_seconds }) => Number(expires_at_seconds) > nowSeconds,
    )
  return {
    async find(
      key: RegistrationKey,
      { redirectUri, nowSeconds }: { redirectUri: string; nowSeconds: number },
    ): Promise<RegisteredClient | undefined> {
      const { Item } = await client.send(new GetCommand({ TableName, Key: clientKey(key) }))
      const stored = row.safeParse(Item).data
      if (stored?.issuer !== key.issuer || stored.redirect_uri !== redirectUri) return undefined
      return stored.expires_at_seconds > nowSeconds ? stored : undefined
    },

    async put(registered: RegisteredClient): Promise<void> {
      const { issuer, resource_origin: resourceOrigin, expires_at_seconds: ttl } = registered
      await put({ ...clientKey({ issuer, resourceOrigin }), ...registered, ttl })
    },

    /** Remembers that the server has forgotten a client, unless another one is registered meanwhile. */
    async markForgotten(key: RegistrationKey, clientId: string): Promise<void> {
      await updateIf(table, clientKey(key), {
        update: 'SET is_forgotten = :true',
        condition: 'client_id = :id',
        values: { ':true': true, ':id': clientId },
      })
    },

    /**
     * Lets one caller at a time register another client in the place of one: all users share it, so what one of them does must not renew it
     * again and again.
     * @returns false if it was renewed within the last hour, for whomever
     */
    claimRenewal: (key: RegistrationKey, clientId: string, nowSeconds: number): Promise<boolean> =>
      updateIf(table, clientKey(key), {
        update: 'SET renewed_at_seconds = :now',
        condition:
          'client_id = :id AND (attribute_not_exists(renewed_at_seconds) OR renewed_at_seconds <= :before)',
        values: { ':now': nowSeconds, ':id': clientId, ':before': nowSeconds - renewalSeconds },
      }),

    /** Remembers that an authorization server refuses an optional parameter for a resource, for half a year. */
    async addRefused(
      { issuer, resourceOrigin }: RegistrationKey,
      refused: OptionalParameter,
      nowSeconds: number,
    ): Promise<void> {
      const ttl = nowSeconds + resourceLifetimeSeconds
      const SK = `${refusedPrefix}${resourceOrigin}#${refused}`
      await put({ PK: partition(issuer), SK, refused, expires_at_seconds: ttl, ttl })
    },

    /** The optional parameters that an authorization server has refused for a resource. */
    async listRefused(
      { issuer, resourceOrigin }: RegistrationKey,
      nowSeconds: number,
    ): Promise<OptionalParameter[]> {
      const rows = await list(issuer, `${refusedPrefix}${resourceOrigin}#`, nowSeconds)
      return toOptionalParameters(rows.map(({ refused }) => String(refused)))
    },

    /** Records that a resource uses an authorization server. */
    async addResource(
      { issuer, resourceOrigin: resource_origin }: RegistrationKey,
      nowSeconds: number,
    ): Promise<void> {
      const ttl = nowSeconds + resourceLifetimeSeconds
      const SK = `${resourcePrefix}${resource_origin}`
      await put({ PK: partition(issuer), SK, resource_origin, expires_at_seconds: ttl, ttl })
    },

    /** Origins of the resources known to use an authorization server. */
    listResources: async (issuer: string, nowSeconds: number): Promise<string[]> =>
      (await list(issuer, resourcePrefix, nowSeconds)).map(({ resource_origin }) => String(resource_origin)),
  }
}

export type RegisteredClientRepository = ReturnType<typeof registeredClientRepository>

import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countsAsMessage } from '#shared/message-content.ts'
import { findPath, hasTurn, type Branches } from '../../functions/runs/branches.ts'
import type { InProcessProduct } from './in-process-product.ts'
import { openStackTable } from './stack-table.ts'

type Row = Record<string, unknown> & { SK: string }

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const part = (row: Row, index: number) => row.SK.split('#')[index] ?? ''

/**
 * Inconsistencies in a user's stored data while no function runs: incomplete records, orphans and wrong counts. Time must have passed
 * for automatic clean-up.
 * @returns sentences, none when everything is consistent
 */
export async function openWholeUser(product: InProcessProduct) {
  const table = await openStackTable(product)
  const { s3, credentials } = await product.endpoints()
  const store = new S3Client({
    endpoint: s3,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
  })

  async function listObjects(sub: string): Promise<string[]> {
    const { Contents = [] } = await store.send(
      new ListObjectsV2Command({ Bucket: 'juno-local-uploads', Prefix: `users/${sub}/` }),
    )
    return Contents.flatMap(({ Key }) => Key ?? [])
  }

  async function listSecrets(sub: string): Promise<string[]> {
    const all = JSON.parse(await readFile(join(product.dataDir, 'secrets.json'), 'utf8')) as Record<
      string,
      { deletedAtSeconds?: number }
    >
    return Object.keys(all).filter(
      (name) => name.includes(`/${sub}/`) && all[name]?.deletedAtSeconds === undefined,
    )
  }

  return {
    readRows: (sub: string) => table.readRows(sub) as Promise<Row[]>,
    close: () => {
      table.close()
      store.destroy()
    },

    async wrongs(sub: string): Promise<string[]> {
      const [rows, objects, secrets] = await Promise.all([
        table.readRows(sub) as Promise<Row[]>,
        listObjects(sub),
        listSecrets(sub),
      ])
      const wrongs: string[] = []
      const of = (prefix: string) => rows.filter(({ SK }) => SK.startsWith(prefix))
      const row = (key: string) => rows.find(({ SK }) => SK === key)
      const isAlive = (id: string) => {
        const found = row(`S#${id}`)
        return found !== undefined && found['deleted_at'] === undefined
      }
      const addFault = (what: string) => void wrongs.push(what)

      for (const session of of('S#').filter((one) => one['deleted_at'] === undefined)) {
        const id = part(session, 1)
        const path = findPath(row(`RUN#${id}`)?.['branches'] as Branches | undefined)
        const shown = of(`M#${id}#`).filter((one) => hasTurn(path, Number(part(one, 2))))
        const counted = shown.filter((one) => countsAsMessage(text(one['content']))).length
        if (session['message_count'] !== counted)
          addFault(`a count of ${String(session['message_count'])} for ${counted} messages`)
      }
      for (const message of of('M#'))
        if (!isAlive(part(message, 1))) addFault('a message without a conversation')
      for (const run of of('RUN#')) {
        if (run['status'] === 'running') addFault('a run that nobody writes')
        else if (run['kept'] === false && run['status'] !== 'waiting')
          addFault('a run of a chat that is not kept')
        else if (run['kept'] !== false && !isAlive(part(run, 1)))
          addFault(`a ${text(run['status'])} run without a conversation`)
      }
      for (const log of of('LOG#')) {
        const status = row(`RUN#${part(log, 1)}`)?.['status']
        if (status !== 'waiting' && status !== 'running' && log['ttl'] === undefined)
          addFault('checkpoints of a reply that has ended')
      }
      for (const parked of of('PARK#'))
        if (parked['ttl'] === undefined) addFault('a transcript that would stay for ever')

      for (const file of of('A#')) {
        const id = part(file, 1)
        const isThere = objects.includes(`users/${sub}/${id}/original`)
        if (file['state'] === 'ready' && !isThere) addFault('a file without its bytes')
        if (file['state'] !== 'ready' && file['ttl'] !== undefined && isThere)
          addFault('a file that is forgotten before its bytes')
        for (const session of (file['used_in'] as Set<string> | undefined) ?? [])
          if (row(`S#${session}`)?.['deleted_at'] !== undefined)
            addFault('a file of a conversation that was deleted')
      }
      for (const key of objects) {
        const file = row(`A#${key.split('/')[2] ?? ''}`)
        if (!file) addFault(`an object without a row: ${key.split('/')[3] ?? ''}`)
      }

      const named = new Set<string>()
      const keeps = (secret: unknown) => {
        if (text(secret) === '') return false
        named.add(text(secret))
        return secrets.includes(text(secret))
      }
      for (const credential of of('C#')) {
        const status = row(`I#${part(credential, 1)}`)
        const holds = keeps(credential['secret_name']) || credential['sealed'] !== undefined
        if (status?.['status'] !== 'connected') addFault('a credential of nothing that is connected')
        else if (!holds && status['token_status'] !== 'invalid') addFault('a credential that holds nothing')
      }
      for (const connection of of('I#').filter((one) => one['status'] === 'connected')) {
        const needs = connection['auth_type'] !== 'none' && connection['token_status'] !== 'invalid'
        if (needs && !row(`C#${part(connection, 1)}`)) addFault('a connection without its credential')
      }
      for (const tool of of('T#')) {
        const masks = Object.keys((tool['masks'] as object | undefined) ?? {})
        const holds = keeps(tool['secret_name'])
        if (tool['is_active'] === true && masks.length > 0 && !holds) addFault('a tool without its secret')
        if (tool['is_active'] !== true && holds) addFault('the secret of a tool that was removed')
      }
      for (const { name } of of('VS#'))
        if (!named.has(text(name))) addFault('a secret that is announced for nobody')
      for (const secret of secrets) if (!named.has(secret)) addFault('a secret that no row names')

      const picture = text(row('PROFILE')?.['avatar_id'])
      for (const avatar of of('AVATAR#'))
        if (avatar['ttl'] === undefined && part(avatar, 1) !== picture)
          addFault('a picture that nobody shows')
      if (picture !== '' && row(`AVATAR#${picture}`)?.['ttl'] !== undefined)
        addFault('the picture of a profile that goes away')
      if (picture !== '' && !row(`AVATAR#${picture}`)) addFault('a profile without its picture')

      const factor = row('MFA')
      const owners = await table.listOwners(sub)
      if (factor && owners.length === 0) addFault('a second factor that no address leads to')
      if (!factor && owners.length > 0) addFault('an address that leads to no second factor')
      for (const one of [...of('OS#'), ...of('MFA#NEW'), ...of('TOOLS#'), ...of('LEDGER#')])
        if (one['ttl'] === undefined) addFault(`a row that nobody forgets: ${one.SK.split('#')[0] ?? ''}`)
      return wrongs
    },
  }
}

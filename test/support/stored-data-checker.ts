import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countsAsMessage } from '#shared/message-content.ts'
import { findPath, hasTurn, type Branches } from '../../functions/conversations/store/branches.ts'
import type { InProcessProduct } from './in-process-product.ts'
import { openStackTable } from './stack-table.ts'

type Row = Record<string, unknown> & { SK: string }

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const part = (row: Row, index: number) => row.SK.split('#')[index] ?? ''

export async function openStoredDataChecker(product: Pick<InProcessProduct, 'endpoints' | 'dataDir'>) {
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

    /**
     * Inconsistencies in a user's stored data while no function runs: incomplete records, orphans and wrong counts. Time must have
     * passed for automatic clean-up.
     * @returns sentences, none when everything is consistent
     */
    async findProblems(sub: string): Promise<string[]> {
      const [rows, objects, secrets] = await Promise.all([
        table.readRows(sub) as Promise<Row[]>,
        listObjects(sub),
        listSecrets(sub),
      ])
      const problems: string[] = []
      const listRows = (prefix: string) => rows.filter(({ SK }) => SK.startsWith(prefix))
      const findRow = (key: string) => rows.find(({ SK }) => SK === key)
      const isAlive = (id: string) => {
        const found = findRow(`S#${id}`)
        return found !== undefined && found['deleted_at'] === undefined
      }
      const addProblem = (what: string) => void problems.push(what)

      for (const session of listRows('S#').filter((one) => one['deleted_at'] === undefined)) {
        const id = part(session, 1)
        const path = findPath(findRow(`RUN#${id}`)?.['branches'] as Branches | undefined)
        const shown = listRows(`M#${id}#`).filter((one) => hasTurn(path, Number(part(one, 2))))
        const counted = shown.filter((one) => countsAsMessage(text(one['content']))).length
        if (session['message_count'] !== counted)
          addProblem(`a count of ${String(session['message_count'])} for ${counted} messages`)
      }
      for (const message of listRows('M#'))
        if (!isAlive(part(message, 1))) addProblem('a message without a conversation')
      for (const run of listRows('RUN#')) {
        if (run['status'] === 'running') addProblem('a run that nobody writes')
        else if (run['kept'] === false && run['status'] !== 'waiting')
          addProblem('a run of a chat that is not kept')
        else if (run['kept'] !== false && !isAlive(part(run, 1)))
          addProblem(`a ${text(run['status'])} run without a conversation`)
      }
      for (const log of listRows('LOG#')) {
        const status = findRow(`RUN#${part(log, 1)}`)?.['status']
        if (status !== 'waiting' && status !== 'running' && log['ttl'] === undefined)
          addProblem('checkpoints of a reply that has ended')
      }
      for (const row of listRows('PARK#'))
        if (row['ttl'] === undefined) addProblem('a transcript that would stay for ever')

      for (const file of listRows('A#')) {
        const id = part(file, 1)
        const isThere = objects.includes(`users/${sub}/${id}/original`)
        if (file['state'] === 'ready' && !isThere) addProblem('a file without its bytes')
        if (file['state'] !== 'ready' && file['ttl'] !== undefined && isThere)
          addProblem('a file that is forgotten before its bytes')
        for (const session of (file['used_in'] as Set<string> | undefined) ?? [])
          if (findRow(`S#${session}`)?.['deleted_at'] !== undefined)
            addProblem('a file of a conversation that was deleted')
      }
      for (const key of objects) {
        const file = findRow(`A#${key.split('/')[2] ?? ''}`)
        if (!file) addProblem(`an object without a row: ${key.split('/')[3] ?? ''}`)
      }

      const namedSecrets = new Set<string>()
      const keeps = (secret: unknown) => {
        if (text(secret) === '') return false
        namedSecrets.add(text(secret))
        return secrets.includes(text(secret))
      }
      for (const credential of listRows('C#')) {
        const connection = findRow(`I#${part(credential, 1)}`)
        const holds = keeps(credential['secret_name']) || credential['sealed'] !== undefined
        if (connection?.['status'] !== 'connected') addProblem('a credential without a connection')
        else if (!holds && connection['token_status'] !== 'invalid')
          addProblem('a credential that holds nothing')
      }
      for (const connection of listRows('I#').filter((one) => one['status'] === 'connected')) {
        const needs = connection['auth_type'] !== 'none' && connection['token_status'] !== 'invalid'
        if (needs && !findRow(`C#${part(connection, 1)}`)) addProblem('a connection without its credential')
      }
      for (const tool of listRows('T#')) {
        const masks = Object.keys((tool['masks'] as object | undefined) ?? {})
        const holds = keeps(tool['secret_name'])
        if (tool['is_active'] === true && masks.length > 0 && !holds) addProblem('a tool without its secret')
        if (tool['is_active'] !== true && holds) addProblem('the secret of a tool that was removed')
      }
      for (const { name } of listRows('VS#'))
        if (!namedSecrets.has(text(name))) addProblem('a secret that is announced for nobody')
      for (const secret of secrets) if (!namedSecrets.has(secret)) addProblem('a secret that no row names')

      const picture = text(findRow('PROFILE')?.['avatar_id'])
      for (const avatar of listRows('AVATAR#'))
        if (avatar['ttl'] === undefined && part(avatar, 1) !== picture)
          addProblem('a picture that nobody shows')
      if (picture !== '' && findRow(`AVATAR#${picture}`)?.['ttl'] !== undefined)
        addProblem('the picture of a profile that goes away')
      if (picture !== '' && !findRow(`AVATAR#${picture}`)) addProblem('a profile without its picture')

      const factor = findRow('MFA')
      const owners = await table.listOwners(sub)
      if (factor && owners.length === 0) addProblem('a second factor that no address leads to')
      if (!factor && owners.length > 0) addProblem('an address that leads to no second factor')
      for (const one of [
        ...listRows('OS#'),
        ...listRows('MFA#NEW'),
        ...listRows('TOOLS#'),
        ...listRows('LEDGER#'),
      ])
        if (one['ttl'] === undefined) addProblem(`a row that nobody forgets: ${one.SK.split('#')[0] ?? ''}`)
      return problems
    },
  }
}

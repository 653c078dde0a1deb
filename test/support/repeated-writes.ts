import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../functions/platform/dynamodb/table.ts'

type Send = (command: unknown) => Promise<{ $metadata: object }>

/** The table over a client that sends each change twice, as the SDK does when the first response is lost, and reports two attempts. */
export function withRepeatedWrites({ client, name }: Table): Table {
  const send = client.send.bind(client) as unknown as Send
  const sendTwice: Send = async (command) => {
    const isChange = [PutCommand, UpdateCommand, DeleteCommand].some((kind) => command instanceof kind)
    if (!isChange) return send(command)
    await send(command).catch(() => undefined)
    try {
      const response = await send(command)
      return { ...response, $metadata: { ...response.$metadata, attempts: 2 } }
    } catch (error) {
      Object.assign((error as { $metadata: object }).$metadata, { attempts: 2 })
      throw error
    }
  }
  return { name, client: { send: sendTwice } as unknown as Table['client'] }
}

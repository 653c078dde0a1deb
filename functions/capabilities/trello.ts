import * as z from 'zod'
import type { ConnectedApi } from './api.ts'
import { capability, type Capability } from './capability.ts'
import { cleanText, httpsLink } from '../platform/untrusted-text.ts'
import { singleLine, longText, findByNameOrId, shortText } from './schemas.ts'

const boards = z.array(z.object({ id: z.string(), name: z.string(), url: z.string().optional() }))
const lists = z.array(z.object({ id: z.string(), name: z.string() }))
const card = z.object({
  id: z.string(),
  name: z.string(),
  desc: z.string().default(''),
  due: z.string().nullable().default(null),
  idList: z.string(),
  shortUrl: z.string().optional(),
})

const board = singleLine('name or id of the Trello board', 100).optional()

async function findBoard(api: ConnectedApi, nameOrId: string | undefined, signal: AbortSignal) {
  const query = { filter: 'open', fields: 'name,url' }
  return findByNameOrId(
    boards.parse(await api.call('/members/me/boards', { query }, signal)),
    nameOrId,
    'board',
  )
}

async function fetchLists(api: ConnectedApi, boardId: string, signal: AbortSignal) {
  const query = { filter: 'open', fields: 'name' }
  return lists.parse(await api.call(`/boards/${encodeURIComponent(boardId)}/lists`, { query }, signal))
}

export const trello: readonly Capability[] = [
  capability({
    id: 'list_boards',
    name: 'List boards',
    description: 'Lists the Trello boards of the user.',
    parameters: z.object({}),
    examples: ['Which Trello boards do I have?'],
    async run(api, _, signal) {
      const query = { filter: 'open', fields: 'name,url' }
      const rows = boards.parse(await api.call('/members/me/boards', { query }, signal))
      return {
        boards: rows.map(({ id, name, url }) => ({ name: shortText(name), link: httpsLink(url), id })),
      }
    },
  }),
  capability({
    id: 'list_cards',
    name: 'List cards',
    description: 'Lists the cards of a Trello board with the lists that they are in.',
    parameters: z.object({ board }),
    examples: ['What is on my Trello board?'],
    async run(api, { board: nameOrId }, signal) {
      const { id, name } = await findBoard(api, nameOrId, signal)
      const query = { filter: 'open', fields: 'name,desc,due,idList,shortUrl' }
      const [boardLists, response] = await Promise.all([
        fetchLists(api, id, signal),
        api.call(`/boards/${encodeURIComponent(id)}/cards`, { query }, signal),
      ])
      const names = new Map(boardLists.map((one) => [one.id, one.name]))
      const rows = z.array(card).parse(response)
      return {
        board: shortText(name),
        cards: rows.slice(0, 50).map((one) => ({
          name: shortText(one.name),
          list: shortText(names.get(one.idList)),
          due: one.due,
          description: cleanText(one.desc, 300),
          link: httpsLink(one.shortUrl),
        })),
        more: rows.length > 50,
      }
    },
  }),
  capability({
    id: 'create_card',
    name: 'Create a card',
    description: 'Creates (adds) a card on a Trello board.',
    parameters: z.object({
      name: singleLine('name of the card', 500),
      description: longText('text of the card', 16_000).default(''),
      board,
      list: singleLine('name or id of the list on the board; the first one by default', 100).optional(),
    }),
    examples: ['Add a Trello card "Call the bank"'],
    writes: true,
    async run(api, { name, description, board: nameOrId, list }, signal) {
      const targetBoard = await findBoard(api, nameOrId, signal)
      const all = await fetchLists(api, targetBoard.id, signal)
      const target = findByNameOrId(list === undefined ? all.slice(0, 1) : all, list, 'list')
      const json = { idList: target.id, name, desc: description, pos: 'bottom' }
      const created = card.parse(await api.call('/cards', { method: 'POST', json }, signal))
      return {
        created: true,
        name: shortText(created.name),
        board: shortText(targetBoard.name),
        list: shortText(target.name),
        link: httpsLink(created.shortUrl),
      }
    },
  }),
]

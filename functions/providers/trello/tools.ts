import * as z from 'zod'
import { type ApiClient, capability, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { linkField, shortField, singleLine, longText, findByNameOrId, shortText } from '../schemas.ts'

const boards = z.array(z.object({ id: z.string(), name: z.string(), url: linkField }))
const lists = z.array(z.object({ id: z.string(), name: z.string() }))
const card = z.object({
  id: z.string(),
  name: shortField,
  desc: z.string().default(''),
  due: z.string().nullable().default(null),
  idList: z.string(),
  shortUrl: linkField,
})

const board = singleLine('name or id of the Trello board', 100).optional()

const fetchBoards = (api: ApiClient) =>
  api.get(boards, '/members/me/boards', { filter: 'open', fields: 'name,url' })

const fetchLists = (api: ApiClient, boardId: string) =>
  api.get(lists, `/boards/${encodeURIComponent(boardId)}/lists`, { filter: 'open', fields: 'name' })

export const tools: readonly Capability[] = [
  capability({
    id: 'list_boards',
    name: 'List boards',
    description: 'Lists the Trello boards of the user.',
    parameters: z.object({}),
    examples: ['Which Trello boards do I have?'],
    async run(api) {
      const rows = await fetchBoards(api)
      return { boards: rows.map(({ id, name, url }) => ({ name: shortText(name), link: url, id })) }
    },
  }),
  capability({
    id: 'list_cards',
    name: 'List cards',
    description: 'Lists the cards of a Trello board with the lists that they are in.',
    parameters: z.object({ board }),
    examples: ['What is on my Trello board?'],
    async run(api, { board: nameOrId }) {
      const { id, name } = findByNameOrId(await fetchBoards(api), nameOrId, 'board')
      const query = { filter: 'open', fields: 'name,desc,due,idList,shortUrl' }
      const [boardLists, rows] = await Promise.all([
        fetchLists(api, id),
        api.get(z.array(card), `/boards/${encodeURIComponent(id)}/cards`, query),
      ])
      const names = new Map(boardLists.map((one) => [one.id, one.name]))
      return {
        board: shortText(name),
        cards: rows.slice(0, 50).map((one) => ({
          name: one.name,
          list: shortText(names.get(one.idList)),
          due: one.due,
          description: cleanText(one.desc, 300),
          link: one.shortUrl,
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
    async run(api, { name, description, board: nameOrId, list }) {
      const targetBoard = findByNameOrId(await fetchBoards(api), nameOrId, 'board')
      const all = await fetchLists(api, targetBoard.id)
      const target = findByNameOrId(list === undefined ? all.slice(0, 1) : all, list, 'list')
      const json = { idList: target.id, name, desc: description, pos: 'bottom' }
      const created = await api.post(card, '/cards', { json })
      return {
        created: true,
        name: created.name,
        board: shortText(targetBoard.name),
        list: shortText(target.name),
        link: created.shortUrl,
      }
    },
  }),
]

import { newId, ok, type Double } from '../../../infra/local/doubles/providers/double.ts'

export const double: Double = {
  rows: {
    lists: [
      { id: 'l1', name: 'To do' },
      { id: 'l2', name: 'Done' },
    ],
    cards: [
      {
        id: 'c1',
        name: 'Buy a lamp',
        desc: 'For the hall',
        due: null,
        idList: 'l1',
        shortUrl: 'https://trello.com/c/c1',
      },
    ],
  },
  fixed: {
    'GET /members/me': { id: 'm-1', username: 'local' },
    'GET /members/me/boards': [{ id: 'b1', name: 'Household', url: 'https://trello.com/b/b1/household' }],
  },
  routes: {
    'GET /boards/:id/lists': ({ rows }) => ok(rows('lists')),
    'GET /boards/:id/cards': ({ rows }) => ok(rows('cards')),
    'POST /cards': async ({ body: { name, desc = '', idList }, rows, saveRow }) => {
      if (!rows('lists').some(({ id }) => id === idList))
        return { status: 400, body: 'invalid value for idList' }
      const id = newId()
      const shortUrl = `https://trello.com/c/${id}`
      return ok(await saveRow('cards', { id, name, desc, due: null, idList, shortUrl }))
    },
  },
  unauthorized: { status: 401, headers: { 'content-type': 'text/plain' }, body: 'invalid token' },
}

import { newNumericId, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  fixed: {
    'GET /v2/userinfo': {
      sub: '782bbtaQ',
      name: 'Ann Example',
      given_name: 'Ann',
      family_name: 'Example',
      email: 'ann@example.com',
      email_verified: true,
      picture: 'https://media.licdn.com/photo.jpg',
    },
  },
  routes: {
    'POST /v2/ugcPosts': async ({ body, saveRow }) => {
      if (body['author'] !== 'urn:li:person:782bbtaQ')
        return json(403, {
          serviceErrorCode: 100,
          message: 'Not enough permissions to access: POST /ugcPosts',
          status: 403,
        })
      const id = `urn:li:share:${newNumericId()}`
      await saveRow('posts', { ...body, id })
      return { status: 201, headers: { 'x-restli-id': id } }
    },
  },
}

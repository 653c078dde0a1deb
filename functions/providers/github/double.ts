import { ok, paginate, text, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    repositories: [
      {
        full_name: 'ann/website',
        description: 'The website',
        private: true,
        html_url: 'https://github.com/ann/website',
        updated_at: '2026-11-18T09:00:00Z',
        open_issues_count: 1,
      },
    ],
    issues: [
      {
        number: 1,
        title: 'Broken link in the footer',
        state: 'open',
        html_url: 'https://github.com/ann/website/issues/1',
        user: { login: 'ann' },
        body: 'It points nowhere.',
        repository: { full_name: 'ann/website' },
      },
    ],
  },
  routes: {
    'GET /user/repos': ({ query, rows }) => ok(paginate(rows('repositories'), query.get('per_page')).page),
    'GET /issues': ({ query, rows }) => ok(paginate(rows('issues').toReversed(), query.get('per_page')).page),
    'GET /repos/:owner/:name/issues': ({ pathParams, query, rows }) =>
      rows('repositories').some((one) => one['full_name'] === pathParams.join('/'))
        ? ok(paginate(rows('issues').toReversed(), query.get('per_page')).page)
        : json(404, { message: 'Not Found' }),
    'POST /repos/:owner/:name/issues': async ({ pathParams, body: { title, body }, rows, saveRow }) => {
      const repository = rows('repositories').find((one) => one['full_name'] === pathParams.join('/'))
      if (!repository) return json(404, { message: 'Not Found' })
      const number = rows('issues').length + 1
      const html_url = `${text(repository['html_url'])}/issues/${number}`
      const issue = { number, title, state: 'open', html_url, user: { login: 'you' }, body, repository }
      return json(201, await saveRow('issues', issue))
    },
  },
}

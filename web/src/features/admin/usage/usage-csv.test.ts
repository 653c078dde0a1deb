import { expect, it } from 'vitest'
import { formatUsageCsv } from './usage-csv.ts'

const usage = { replies: 2, inputTokens: 300, cachedInputTokens: 100, outputTokens: 40, images: 1, cost: 0.5 }

it('has a row for each user, each group and the total, and escapes fields that a spreadsheet would run', () => {
  const csv = formatUsageCsv({
    month: '2026-11',
    users: [
      { ...usage, id: 'u1', email: 'ada@roastery.example', groups: ['Sales Oslo', 'staff'] },
      {
        ...usage,
        id: 'u2',
        email: '=cmd|"/c calc"!A1,@x.example',
        groups: [],
        cost: undefined,
        unpricedTokens: 340,
      },
    ],
    groups: [{ ...usage, name: '-editors', users: 1 }],
    total: { ...usage, replies: 4, webSearches: 6, scheduled: { replies: 3, tokens: 90, cost: 0.25 } },
  })
  expect(csv.split('\r\n')).toEqual([
    '\u{feff}kind,name,id,groups,replies,input_tokens,cached_input_tokens,output_tokens,images,web_searches,cost_usd,unpriced_tokens,scheduled_replies,scheduled_tokens,scheduled_cost_usd',
    'user,ada@roastery.example,u1,"Sales Oslo, staff",2,300,100,40,1,0,0.5,0,0,0,',
    `user,"'=cmd|""/c calc""!A1,@x.example",u2,,2,300,100,40,1,0,,340,0,0,`,
    `group,'-editors,,,2,300,100,40,1,0,0.5,0,0,0,`,
    'total,,,,4,300,100,40,1,6,0.5,0,3,90,0.25',
    '',
  ])
})

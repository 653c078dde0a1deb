import { describe, expect, it } from 'vitest'
import { parseOperatorApps } from './provider-apps.ts'

describe('parseOperatorApps', () => {
  it('reads each app, and drops fields that it does not know', () => {
    const text = '{"slack":{"clientId":" c ","clientSecret":"s","note":"x"},"linear":{"clientId":"d"}}'
    expect(parseOperatorApps(text)).toEqual({
      slack: { clientId: 'c', clientSecret: 's' },
      linear: { clientId: 'd' },
    })
  })

  it.each([
    ['{"slack":{"clientSecret":topsecret}}', 'The apps at providers are not valid JSON.'],
    ['topsecret', 'The apps at providers are not valid JSON.'],
    ['{"slack":{"clientId":"","clientSecret":"topsecret"}}', 'slack.clientId'],
    ['{"slack":{"clientSecret":"topsecret"}}', 'slack.clientId'],
    ['{"slack":"topsecret"}', 'slack'],
    ['["topsecret"]', 'The apps at providers are not valid.'],
  ])('says what is wrong with %s, and never quotes it', (text, expected) => {
    const read = () => parseOperatorApps(text)
    expect(read).toThrow(expected)
    expect(read).not.toThrow('topsecret')
    let error: unknown
    try {
      read()
    } catch (thrown) {
      error = thrown
    }
    expect((error as Error).cause).toBeUndefined()
  })
})

import { expect, it } from 'vitest'
import { generateCode, buildEnrolmentUri, findTimeStep, toTimeStep, parseTotpCode } from './totp.ts'

// RFC 6238, appendix B, SHA-1: the last six of its eight digits
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [20000000000, '353130'],
])('INFRA-14 generates the code of second %i as in RFC 6238', (second, code) => {
  expect(generateCode(secret, toTimeStep(second * 1000))).toBe(code)
})

it.each([
  [-2, false],
  [-1, true],
  [0, true],
  [1, true],
  [2, false],
])('INFRA-14 accepts the code of %i steps away: %s', (stepsAway, isAccepted) => {
  const nowMs = 1_700_000_015_000
  const step = toTimeStep(nowMs) + stepsAway
  expect(findTimeStep(secret, generateCode(secret, step), nowMs)).toBe(isAccepted ? step : undefined)
})

it.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['\u2066123\u2013456\u2069', '123456'],
  ['12345', undefined],
  ['1234567', undefined],
  ['12345a', undefined],
  ['１２３４５６', undefined],
  ['', undefined],
])('LIM-05 MFA-09 reads %j as %j', (input, code) => {
  expect(parseTotpCode(input)).toBe(code)
})

it('MFA-14 names the brand and the address to the app', () => {
  const uri = new URL(buildEnrolmentUri({ issuer: 'Ada & Co', email: 'a+b@x.example', secret }))
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname)).toContain('Ada & Co:a+b@x.example')
  expect(uri.searchParams.get('secret')).toBe(secret)
  expect(uri.searchParams.get('issuer')).toBe('Ada & Co')
})

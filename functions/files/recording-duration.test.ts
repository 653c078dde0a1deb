import { expect, it } from 'vitest'
import { quietMp4, quietWav, quietWebm } from '../../test/support/recordings.ts'
import { measureRecording } from './recording-duration.ts'

/** The file with its last cluster or fragment again and again. */
const repeatFrom = (bytes: Buffer, at: number, times: number) =>
  Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: times }, () => bytes.subarray(at))])
const cluster = quietWebm.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]))
const fragment = quietMp4.indexOf('moof') - 4

const edit = (bytes: Buffer, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

it.each([
  ['webm', quietWebm],
  ['mp4', quietMp4],
  ['wav', quietWav(16_044)],
] as const)('half a second of %s is about half a second', (type, bytes) => {
  const seconds = measureRecording({ bytes, type })
  expect(seconds).toBeGreaterThan(0.45)
  expect(seconds).toBeLessThan(0.8)
})

it.each([
  // the times in the clusters are the same again
  ['webm', repeatFrom(quietWebm, cluster, 4_000)],
  ['mp4', repeatFrom(quietMp4, fragment, 4_000)],
  ['wav', quietWav(4_000_000, { rate: 1_000 })],
] as const)('a %s is as long as its frames, whatever its header says', (type, bytes) => {
  expect(measureRecording({ bytes, type })).toBeGreaterThan(1_500)
})

it('a recording that was cut off is as long as what is there', () => {
  expect(measureRecording({ bytes: quietWebm.subarray(0, -3), type: 'webm' })).toBeGreaterThan(0.3)
})

it.each([
  [
    'webm',
    'another codec',
    edit(quietWebm, (copy) => copy.write('A_AACX', copy.indexOf('A_OPUS'), 'latin1')),
  ],
  ['webm', 'nothing but its first bytes', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0xff, 0x00, 0x80])],
  ['webm', 'bytes that are no elements', Buffer.concat([quietWebm, Buffer.alloc(100)])],
  ['mp4', 'another codec', edit(quietMp4, (copy) => copy.write('Opus', copy.indexOf('mp4a'), 'latin1'))],
  ['mp4', 'no track', Buffer.from('\0\0\0\u0018ftypmp42')],
  ['wav', 'packed sound', edit(quietWav(1_000), (copy) => copy.writeUInt16LE(0x55, 20))],
  ['wav', 'no format', Buffer.from('RIFF\0\0\0\0WAVE')],
] as const)('a %s with %s cannot be measured', (type, _, bytes) => {
  expect(measureRecording({ bytes, type })).toBeUndefined()
})

it('frames of silence that share a sample each count', () => {
  const samples = Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from('01182007', 'hex')))
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + samples.length)
  header.write('mdat', 4, 'latin1')
  const bytes = Buffer.concat([quietMp4, header, samples])
  expect(measureRecording({ bytes, type: 'mp4' })).toBeGreaterThan(1_000)
})

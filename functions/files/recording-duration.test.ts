import { expect, it } from 'vitest'
import { quietMp4, quietWav, quietWebm } from '../../test/support/recordings.ts'
import { rewriteRecording } from './recording-duration.ts'

const measure = (bytes: Uint8Array, type: 'webm' | 'mp4' | 'wav') =>
  rewriteRecording({ bytes, type })?.seconds

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
  const seconds = measure(bytes, type)
  expect(seconds).toBeGreaterThan(0.45)
  expect(seconds).toBeLessThan(0.8)
})

it.each([
  // the times in the clusters are the same again
  ['webm', repeatFrom(quietWebm, cluster, 4_000)],
  ['mp4', repeatFrom(quietMp4, fragment, 4_000)],
  ['wav', quietWav(4_000_000, { rate: 1_000 })],
] as const)('a %s is as long as its frames, whatever its header says', (type, bytes) => {
  expect(measure(bytes, type)).toBeGreaterThan(1_500)
})

it('a recording that was cut off is as long as what is there', () => {
  expect(measure(quietWebm.subarray(0, -3), 'webm')).toBeGreaterThan(0.3)
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
  expect(measure(bytes, type)).toBeUndefined()
})

/** The file with other sound in its first sample. */
function withFirstSample(sound: Buffer): Buffer {
  const samples = quietMp4.indexOf('mdat') + 4
  const rest = quietMp4.indexOf('mfra') - 4
  const bytes = Buffer.concat([quietMp4.subarray(0, samples), sound, quietMp4.subarray(rest)])
  bytes.writeUInt32BE(8 + sound.length, samples - 8)
  // the run has 5 samples, each with its duration and size, the first of 21 bytes
  const run = bytes.indexOf('trun') + 16
  bytes.writeUInt32BE(1, run - 8)
  bytes.writeUInt32BE(sound.length, run + 4)
  return bytes
}

const silence = Buffer.from('01182007', 'hex')
/** of a voice, with seven code books; written by FFmpeg */
const voice = Buffer.from(
  'ASyftvE0omzWgqhtuMOd9Vx8L64u9a6//5euJP5/HGSrucf/3vHSfj90xrWtB22/gYDKeNbtQ4ehRSghpn4svgwvUUpxJcJ8rLDZQiCz' +
    'snnPIYH9lUDYumB0BbkLismRG30lPM/LVqdnynAHMqdUQ5pwa9LKDAwNellBgYGJXgaWUGBiQMDEswYGllBgYGvAwNedwY3KpwYGJXn/' +
    'nvHn1QP577g8+mLnlF55zfc+75rzZxVbFT+b+HZap/ApsdX2ELxrrai8x86J5A5kzComqrsfSCC51rOZa5+g0fEGM4z4cuHIMZxXDlw5' +
    'Bs2AbNmwA2bNmwANmzZsiAGzZsiRToMydhx9JCtCo2uBYiU71IleV1HsvGD3j/Nk6CPlUaTJBYBtMpIgGY/8v5H8v5H8v5fyH8v5fy/k' +
    'H8v5fy1zB8NYBw==',
  'base64',
)

it.each([
  ['silence', silence],
  ['sound', voice],
])('of frames that share a sample only the first is sent: %s', (_, frame) => {
  const once = rewriteRecording({ bytes: withFirstSample(frame), type: 'mp4' })
  const times = Buffer.concat(Array.from({ length: 9_000 / frame.length }, () => frame))
  expect(once?.seconds).toBe(0.128)
  expect(rewriteRecording({ bytes: withFirstSample(times), type: 'mp4' })).toEqual(once)
  expect(Buffer.from(once?.bytes ?? []).subarray(-frame.length)).toEqual(frame)
})

it.each([
  ['a frame that ends too early', voice.subarray(0, -1)],
  ['bytes that are no frame', Buffer.alloc(40)],
  ['a reserved code book', Buffer.from('01180600'.padEnd(40, '0'), 'hex')],
])('an MP4 with %s cannot be measured', (_, sample) => {
  expect(measure(withFirstSample(sample), 'mp4')).toBeUndefined()
})

it.each([
  ['webm', quietWebm],
  ['mp4', quietMp4],
  ['wav', quietWav(16_044)],
] as const)('a rewritten %s has the same sound, and nothing that nothing names', (type, bytes) => {
  const hidden = Buffer.from('hidden sound')
  const padded = {
    // an element that is unknown, and one that is empty
    webm: Buffer.concat([
      bytes.subarray(0, cluster),
      Buffer.from([0x4d, 0xbb, 0x8c]),
      hidden,
      bytes.subarray(cluster),
    ]),
    mp4: Buffer.concat([bytes, Buffer.from([0, 0, 0, 20]), Buffer.from('free'), hidden]),
    wav: edit(Buffer.concat([bytes, Buffer.from('LIST\u000c\0\0\0'), hidden]), (copy) =>
      copy.writeUInt32LE(bytes.length - 44, 40),
    ),
  }[type]
  const once = rewriteRecording({ bytes: padded, type })
  expect(once).toEqual(rewriteRecording({ bytes, type }))
  expect(Buffer.from(once?.bytes ?? []).includes(hidden)).toBe(false)
  expect(rewriteRecording({ bytes: once?.bytes ?? bytes, type })).toEqual(once)
})

it('samples of MP4 that name the same bytes again and again are refused', () => {
  const moof = quietMp4.subarray(fragment, quietMp4.indexOf('mdat') - 4)
  const run = moof.indexOf('trun') + 16
  const copies = Array.from({ length: 5 }, (_, index) =>
    edit(moof, (copy) => {
      // one sample of 700 bytes from the beginning of the file on
      copy.writeUInt32BE(1, run - 8)
      copy.writeInt32BE(-(quietMp4.length + index * moof.length), run - 4)
      copy.writeUInt32BE(700, run + 4)
    }),
  )
  expect(measure(Buffer.concat([quietMp4, ...copies.slice(1)]), 'mp4')).toBeDefined()
  expect(measure(Buffer.concat([quietMp4, ...copies]), 'mp4')).toBeUndefined()
})

const extensible = (format: number, end = '000000001000800000aa00389b71') => {
  const plain = quietWav(16_044)
  const more = Buffer.alloc(24)
  more.writeUInt16LE(22)
  more.writeUInt16LE(format, 8)
  more.write(end, 10, 'hex')
  const bytes = Buffer.concat([plain.subarray(0, 36), more, plain.subarray(36)])
  bytes.writeUInt32LE(40, 16)
  bytes.writeUInt16LE(0xfffe, 20)
  return bytes
}

it.each<[what: string, bytes: Buffer]>([
  ['packed sound in the form that can be extended', extensible(0x55)],
  ['an unknown identifier', extensible(1, 'ffffffffffffffffffffffffffff')],
  ['samples of 65,528 bits', edit(quietWav(1_000), (copy) => copy.writeUInt16LE(65_528, 34))],
  ['samples of 12 bits', edit(quietWav(1_000), (copy) => copy.writeUInt16LE(12, 34))],
  ['nine channels', quietWav(1_000, { channels: 9 })],
])('a WAV with %s cannot be measured', (_, bytes) => {
  expect(measure(bytes, 'wav')).toBeUndefined()
})

it('a WAV in the form that can be extended is sent as a plain one', () => {
  expect(rewriteRecording({ bytes: extensible(1), type: 'wav' })?.bytes).toEqual(
    rewriteRecording({ bytes: quietWav(16_044), type: 'wav' })?.bytes,
  )
})

import { expect, it } from 'vitest'
import { findSeparator } from './find-separator.ts'

it.each([
  ['', 'Hello', ''],
  ['Hello', '', ''],
  ['Hello.', 'Thanks.', ' '],
  ['Hello ', 'thanks', ''],
  ['Hello\n', 'thanks', ''],
  ['Hello', ', thanks', ''],
  ['(', 'thanks', ''],
  ['thanks', ')', ''],
  ['我想去', '奥斯陆。', ''],
  ['我想去奥斯陆。', '谢谢', ''],
  ['我想去奥斯陆。', 'Thanks', ''],
  ['Thanks', '（谢谢）', ''],
  ['買い物', 'に行く', ''],
  ['カメラー', 'を買う', ''],
  ['ｶﾒﾗ', 'を買う', ''],
  ['รถไฟ', 'ออกเวลาแปดโมง', ''],
  ['ที่นี่', 'ที่', ''],
  ['𠮷', '野家', ''],
  ['기차는', '출발합니다', ' '],
  ['我用', 'Python', ' '],
  ['Python', '很好', ' '],
  ['مرحبا', '، شكرا', ''],
  ['مرحبا', 'شكرا', ' '],
  ['नमस्ते', 'धन्यवाद', ' '],
  ['€', '5', ' '],
])('%j and %j are separated by %j', (before, after, separator) => {
  expect(findSeparator(before, after)).toBe(separator)
})

import { expect, it } from 'vitest'
import { findLanguages } from './sentence-languages.ts'

const english = { pageLanguage: 'en', browserLanguages: ['en-GB', 'en'], voiceLanguages: [] }

it.each<[string, readonly (readonly [sentence: string, language: string])[]]>([
  ['a Greek letter in English', [['The number π is about 3.14, and the wavelength is 5 μm.', 'en-GB']]],
  ['Arabic with a name', [['يغادر القطار من Oslo في الساعة الثامنة.', 'ar']]],
  [
    'Japanese, some sentences without kana',
    [
      ['電車は八時に出発します。', 'ja'],
      ['東京駅。', 'ja'],
    ],
  ],
  [
    'Chinese with a word of Japanese',
    [
      ['火车八点从东京站出发，请准时到达车站入口处等候。', 'zh'],
      ['すし', 'ja'],
    ],
  ],
  [
    'Korean',
    [
      ['기차는 여덟 시에 출발합니다.', 'ko'],
      ['OK', 'en-GB'],
      ['12.5', 'ko'],
    ],
  ],
  ['Hindi', [['ट्रेन आठ बजे निकलती है।', 'hi']]],
  ['nothing but numbers', [['12.5', 'en-GB']]],
])('reads %s', (_, sentences) => {
  const languages = findLanguages(
    sentences.map(([sentence]) => sentence),
    english,
  )
  expect(languages).toEqual(sentences.map(([, language]) => language))
})

it.each<[string, string, string, string[], string[], string]>([
  ['the language of the page', 'Der Zug fährt ab.', 'de', ['en-GB'], [], 'de'],
  ['the browser’s variant of it', 'Der Zug fährt ab.', 'de', ['en', 'de-AT'], ['de-DE'], 'de-AT'],
  ['the variant of a voice', 'Der Zug fährt ab.', 'de', ['en-US'], ['en-US', 'de_DE'], 'de-DE'],
  ['the browser’s Chinese', '火车八点出发。', 'en', ['zh-TW'], ['zh-CN'], 'zh-TW'],
  ['a language of the browser with this script', 'The train leaves.', 'ja', ['ja-JP', 'fr'], [], 'fr'],
  ['English if there is none', 'The train leaves.', 'ja', ['ja-JP'], [], 'en'],
  ['the browser’s Cyrillic', 'Поезд отправляется.', 'en', ['en', 'uk-UA'], [], 'uk-UA'],
  ['Russian if there is none', 'Поезд отправляется.', 'en', ['en'], [], 'ru'],
  // some browsers have tags that are none
  ['no tag that is none', 'The train leaves.', 'ja', ['en-US@posix', 'fr'], [], 'fr'],
])('takes %s', (_, sentence, pageLanguage, browserLanguages, voiceLanguages, language) => {
  expect(findLanguages([sentence], { pageLanguage, browserLanguages, voiceLanguages })).toEqual([language])
})

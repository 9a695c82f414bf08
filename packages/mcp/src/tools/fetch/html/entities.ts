// Character references of HTML: numbers, the names of HTML 4, and the newer names that pages use.

/** name, code points in hex; these are also read without their semicolon (HTML standard, 13.5, names listed twice). */
const LEGACY = `
quot 22 amp 26 lt 3c gt 3e nbsp a0 iexcl a1 cent a2 pound a3 curren a4 yen a5 brvbar a6 sect a7 uml a8 copy a9
ordf aa laquo ab not ac shy ad reg ae macr af deg b0 plusmn b1 sup2 b2 sup3 b3 acute b4 micro b5 para b6
middot b7 cedil b8 sup1 b9 ordm ba raquo bb frac14 bc frac12 bd frac34 be iquest bf Agrave c0 Aacute c1 Acirc c2
Atilde c3 Auml c4 Aring c5 AElig c6 Ccedil c7 Egrave c8 Eacute c9 Ecirc ca Euml cb Igrave cc Iacute cd Icirc ce
Iuml cf ETH d0 Ntilde d1 Ograve d2 Oacute d3 Ocirc d4 Otilde d5 Ouml d6 times d7 Oslash d8 Ugrave d9 Uacute da
Ucirc db Uuml dc Yacute dd THORN de szlig df agrave e0 aacute e1 acirc e2 atilde e3 auml e4 aring e5 aelig e6
ccedil e7 egrave e8 eacute e9 ecirc ea euml eb igrave ec iacute ed icirc ee iuml ef eth f0 ntilde f1 ograve f2
oacute f3 ocirc f4 otilde f5 ouml f6 divide f7 oslash f8 ugrave f9 uacute fa ucirc fb uuml fc yacute fd thorn fe
yuml ff`;

const FURTHER = `
apos 27 OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 circ 2c6 tilde 2dc ensp 2002 emsp 2003 thinsp 2009
hairsp 200a numsp 2007 puncsp 2008 zwnj 200c zwj 200d lrm 200e rlm 200f ndash 2013 mdash 2014 lsquo 2018
rsquo 2019 sbquo 201a ldquo 201c rdquo 201d bdquo 201e dagger 2020 Dagger 2021 permil 2030 lsaquo 2039
rsaquo 203a euro 20ac fnof 192 Alpha 391 Beta 392 Gamma 393 Delta 394 Epsilon 395 Zeta 396 Eta 397 Theta 398
Iota 399 Kappa 39a Lambda 39b Mu 39c Nu 39d Xi 39e Omicron 39f Pi 3a0 Rho 3a1 Sigma 3a3 Tau 3a4 Upsilon 3a5
Phi 3a6 Chi 3a7 Psi 3a8 Omega 3a9 alpha 3b1 beta 3b2 gamma 3b3 delta 3b4 epsilon 3b5 zeta 3b6 eta 3b7 theta 3b8
iota 3b9 kappa 3ba lambda 3bb mu 3bc nu 3bd xi 3be omicron 3bf pi 3c0 rho 3c1 sigmaf 3c2 sigma 3c3 tau 3c4
upsilon 3c5 phi 3c6 chi 3c7 psi 3c8 omega 3c9 thetasym 3d1 upsih 3d2 piv 3d6 bull 2022 hellip 2026 prime 2032
Prime 2033 oline 203e frasl 2044 weierp 2118 image 2111 real 211c trade 2122 alefsym 2135 larr 2190 uarr 2191
rarr 2192 darr 2193 harr 2194 crarr 21b5 lArr 21d0 uArr 21d1 rArr 21d2 dArr 21d3 hArr 21d4 forall 2200 part 2202
exist 2203 empty 2205 nabla 2207 isin 2208 notin 2209 ni 220b prod 220f sum 2211 minus 2212 lowast 2217
radic 221a prop 221d infin 221e ang 2220 and 2227 or 2228 cap 2229 cup 222a int 222b there4 2234 sim 223c
cong 2245 asymp 2248 ne 2260 equiv 2261 le 2264 ge 2265 sub 2282 sup 2283 nsub 2284 sube 2286 supe 2287
oplus 2295 otimes 2297 perp 22a5 sdot 22c5 lceil 2308 rceil 2309 lfloor 230a rfloor 230b lang 27e8 rang 27e9
loz 25ca spades 2660 clubs 2663 hearts 2665 diams 2666 Tab 9 NewLine a excl 21 num 23 dollar 24 percnt 25
lpar 28 rpar 29 ast 2a plus 2b comma 2c period 2e sol 2f colon 3a semi 3b equals 3d quest 3f commat 40 lsqb 5b
lbrack 5b bsol 5c rsqb 5d rbrack 5d Hat 5e lowbar 5f grave 60 lcub 7b lbrace 7b verbar 7c vert 7c rcub 7d
rbrace 7d hyphen 2010 dash 2010 horbar 2015 check 2713 checkmark 2713 cross 2717 star 2606 starf 2605
bigstar 2605 phone 260e female 2640 male 2642 copysr 2117 Lsh 21b0 rsquor 2019 ldquor 201e lsquor 201a mldr 2026
nldr 2025 bullet 2022 centerdot b7 rightarrow 2192 leftarrow 2190 Rightarrow 21d2 Leftarrow 21d0
leftrightarrow 2194 uparrow 2191 downarrow 2193 longrightarrow 27f6 mapsto 21a6 hookrightarrow 21aa leq 2264
geq 2265 approx 2248 ap 2248 thickapprox 2248 simeq 2243 emptyset 2205 varnothing 2205 setminus 2216 subset 2282
supset 2283 in 2208 angle 2220 degree b0+72+65+65+3b half bd frac13 2153 frac23 2154 frac15 2155 frac18 215b
frac38 215c frac58 215d frac78 215e blank 2423 block 2588 blk14 2591 squ 25a1 square 25a1 squf 25aa
triangle 25b5 lozenge 25ca sung 266a flat 266d natural 266e sharp 266f inodot 131 Amacr 100 amacr 101 Emacr 112
emacr 113 Imacr 12a imacr 12b Omacr 14c omacr 14d Umacr 16a umacr 16b Abreve 102 abreve 103 Gbreve 11e
gbreve 11f Aogon 104 aogon 105 Eogon 118 eogon 119 Cacute 106 cacute 107 Nacute 143 nacute 144 Sacute 15a
sacute 15b Zacute 179 zacute 17a Zdot 17b zdot 17c Ccaron 10c ccaron 10d Dcaron 10e dcaron 10f Ecaron 11a
ecaron 11b Ncaron 147 ncaron 148 Rcaron 158 rcaron 159 Tcaron 164 tcaron 165 Zcaron 17d zcaron 17e Lstrok 141
lstrok 142 Dstrok 110 dstrok 111 Idot 130 Scedil 15e scedil 15f Tcedil 162 tcedil 163 Odblac 150 odblac 151
Udblac 170 udblac 171 Uring 16e uring 16f ell 2113 hbar 210f planck 210f Re 211c Im 2111 aleph 2135 beth 2136
Copf 2102 Nopf 2115 Qopf 211a Ropf 211d Zopf 2124`;

const legacy = table(LEGACY);
const names = new Map([...legacy, ...table(FURTHER)]);

/** 0x80 to 0x9f mean windows-1252 (HTML standard, 13.2.5.80). */
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Text with its character references resolved; what is none stays as it is. In an attribute a name needs its semicolon,
 * so that `?a=1&copy=2` stays a query.
 */
export function decodeEntities(text: string, inAttribute = false): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,7})|([a-zA-Z][a-zA-Z0-9]{1,15}))(;?)/g, (...found) => {
    const [whole, decimal, hex, name = '', end] = found as string[];
    if (decimal !== undefined) return fromNumber(Number.parseInt(decimal, 10));
    if (hex !== undefined) return fromNumber(Number.parseInt(hex, 16));
    if (end === ';') return names.get(name) ?? whole ?? '';
    return (inAttribute ? undefined : legacy.get(name)) ?? whole ?? '';
  });
}

function fromNumber(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.decode(Uint8Array.of(code));
  return String.fromCodePoint(code);
}

function table(data: string): Map<string, string> {
  const words = data.trim().split(/\s+/);
  const entries = new Map<string, string>();
  for (let i = 0; i + 1 < words.length; i += 2) {
    const points = (words[i + 1] ?? '').split('+').map((each) => Number.parseInt(each, 16));
    entries.set(words[i] ?? '', String.fromCodePoint(...points));
  }
  return entries;
}

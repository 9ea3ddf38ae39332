// A 16 by 16 PNG with a crossed box, shown for icons that cannot be read.
// Inlined so that the page needs no second file.
export const placeholder = [
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAADKElEQVR42gXBaUuYAAAGYH/J",
  "+0uszWquspU7bOUqa9lh29xh2+xwW9ayY11bfRIEQRAEQRAEQRAEwX/17nmEQRQ5SOMc5GkO",
  "ynMO6gIHzeCgb3IwPnAwdzlYBxxsn4NzzsG95eCNcPAnOAQKhV58yl6aZS9r6JUl9Oo6em0H",
  "vf4ZveGiN3+it07R21fonXv0roTem0Tvz7EP5il04gt20iI6eZWdsoVOtdFpX9Hph+iMY3Tm",
  "BTrrDp09is55gs6dQee9ZOfr6II1Cq24zFYy0crv0Cpf2Kp7aLVfaPUArXGN1nxAa42htafQ",
  "Oipa9zVbbwWtv4E2eE+hEbfZSB/RyN/QKB4a9YSNdolG/4vGeITGlNFYz9DYr9A4b9i4b9F4",
  "Fhr/E5rgO4VadFhL+6jlI9TKGWr1BrUmstbHURvTqM3nqK0F1LbB2tlE7X5A7e2i9g9QBz6F",
  "SvzBSvqNSv6DSvmHSn2MSnuKSp9lZWiozCVU1joreweV8xmV66LyfqLyT1EFVxRK8ZyldItS",
  "HkGpTKBUFZTaC5T6IkpjlaW5xdKyUdpfUTqHKN1jlN4FSv8OZTBKoRDvWUgSCnkShTKHQp1H",
  "oS2j0E0UxjsW5hcW1h4K+xcKJ0DhXqPwHlD4YyiCKQq5+IS5NINcfolc0ZGra8i1beT6R+bG",
  "N+Smh9w6YW5fInf+IncfIfdk5P4z5MErCpmoMpNeI5NXkCkbyNT3yDSHmb6PzDhCZp4hs26Q",
  "2SIzZxyZO43Me47MX0AWGBRS8Q1T6S1S2UKqfEKqfmeq/UCq/0Zq/EFq/kNqPUZqP0XqzDJ1",
  "NaTeElJ/HWmwQyERN5lIH5DIu0iUAyaqj0Q7R6LfIjFGkJgTSCwFif0CibOIxF1l4m0h8W0k",
  "wVcKsfiZseQiln8yVk4Rq1eItXvEuoTYmERsziG25hHby4gdE7H7DrH3hbG/hzj4RSESDxlJ",
  "x4zkC0TKHSJ1FJH2BJE+g8h4icjUEVlriOxtRM5HRO43RJ6HyD9hFFxSCMWAoXTNUH5gqIwx",
  "VKcYaipD/TVDY4WhucHQes/Qdhg6+wzdI4beGUP/hmEg8j9hG+a0UZfsRAAAAABJRU5ErkJg",
  "gg==",
].join("");

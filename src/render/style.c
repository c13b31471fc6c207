/* The style sheet of a page: light, dark and print, nothing fetched. */
#include "base/escape.h"
#include "render/chart/plot.h"
#include "render/html.h"

static const char light[] =
    ":root{color-scheme:light dark;--paper:#fff;--panel:#f6f7f9;--ink:#1b2026;--quiet:#59626c;--grid:#e4e7eb;--axis:#8b939c;--link:#00609a;"
    "--good:#00704f;--warn:#8a5a00;--bad:#b3261e;--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#b7559a;--s4:#b58900;--s5:#3fa0d9;--s6:#"
    "6b4f9e;--s7:#5a6068}";
static const char dark[] = "@media screen and "
                           "(prefers-color-scheme:dark){:root{--paper:#14171a;--panel:#1d2226;--ink:#e6e9ec;--quiet:#a3adb7;--grid:#2e353c;"
                           "--axis:#77818b;--link:#7cc4f2;"
                           "--good:#4cc99a;--warn:#e8b04a;--bad:#ff8a80;--s0:#56b4e9;--s1:#ff8b3d;--s2:#2fc79b;--s3:#e39ccb;--s4:#e6c34a;--"
                           "s5:#8fd0f5;--s6:#b7a0e6;--s7:#aab2ba}}";
static const char layout[] =
    "*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);"
    "font:16px/1.55 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif}"
    "main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}"
    "h1{font-size:1.75rem;line-height:1.25;margin:0 0 .35rem;letter-spacing:-.01em}h2{font-size:1.3rem;margin:2.75rem 0 "
    ".4rem;padding-top:1.25rem;border-top:1px solid var(--grid)}"
    "h3{font-size:1.05rem;margin:1.9rem 0 .4rem}h4,h5,h6{font-size:1rem;margin:1.5rem 0 .4rem}"
    "p{margin:.3rem 0 .8rem;max-width:44rem}.lead,.quiet{color:var(--quiet)}.lead{font-size:1.05rem}a{color:var(--link)}"
    "code{font:.92em ui-monospace,'SFMono-Regular',Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}"
    ".scroll{overflow:auto;width:fit-content;max-width:100%;max-height:32rem;margin:.5rem 0 1rem;border:1px solid "
    "var(--grid);border-radius:6px}"
    "table{border-collapse:collapse;font-size:.92rem}"
    "th,td{--pad:.8rem;padding:.34rem var(--pad);text-align:left;vertical-align:baseline;border-bottom:1px solid var(--grid)}tbody "
    "tr:last-child>*{border-bottom:0}"
    "thead th{position:sticky;top:0;background:var(--panel);font-weight:600;white-space:nowrap}"
    ".number{padding-right:calc(var(--pad) + "
    "var(--less,0ch));text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.missing{color:var(--quiet)}"
    ".hidden{background:var(--panel);font-style:italic}"
    ".values{margin:.8rem 0 1.2rem}.values th{font-weight:400;padding-left:0;white-space:nowrap}"
    ".values td:nth-child(2){font-weight:650;font-variant-numeric:tabular-nums;text-align:right}.values td.text{text-align:left}.values "
    "td:nth-child(3){color:var(--quiet);width:100%}"
    "figure{margin:1rem 0 1.6rem}figure svg{display:block;max-width:100%;height:auto}"
    "ul{padding-left:1.2rem;margin:.4rem 0 1rem;max-width:46rem}li{margin:.2rem 0}"
    ".params{display:flex;flex-wrap:wrap;gap:.3rem .5rem;padding:0;margin:.5rem 0 1rem;list-style:none;max-width:none}"
    ".params li{margin:0;padding:.1rem .55rem;background:var(--panel);border:1px solid "
    "var(--grid);border-radius:4px;font-size:.88rem;overflow-wrap:anywhere}.params .preset{color:var(--quiet)}"
    ".verdict{margin:1.4rem 0;padding:1rem 1.2rem;border-left:6px solid "
    "currentColor;border-radius:6px;background:var(--panel);font-size:1.15rem;font-weight:600;max-width:none}"
    ".verdict b{display:block;font-size:.8rem;letter-spacing:.06em;text-transform:uppercase}.verdict span{color:var(--ink)}"
    ".good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}"
    "td.good,td.bad{font-weight:600;white-space:nowrap}nav ol{columns:2;column-gap:2rem;font-size:.95rem;margin:.4rem 0}nav li{margin:0}"
    "section section{margin-left:.1rem;padding-left:1rem;border-left:2px solid var(--grid)}"
    "footer{margin-top:3rem;padding-top:1rem;border-top:1px solid "
    "var(--grid);color:var(--quiet);font-size:.85rem;overflow-wrap:anywhere}footer p{margin:.15rem 0;max-width:none}"
    ".whole{overflow-x:auto;margin:.5rem 0 1rem}.whole table{width:100%}.whole td:first-child,.whole "
    "th:first-child{padding-left:0}.paper{display:none}"
    ".duo{display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:0 2rem}.duo>div:empty{display:none}"
    ".eyebrow{color:var(--quiet);font-size:.85rem;margin:0 0 .2rem}"
    "dl{margin:.4rem 0 1rem}dl div{display:flex;gap:1rem;justify-content:space-between;padding:.28rem 0;border-bottom:1px solid "
    "var(--grid);max-width:44rem}dt{color:var(--quiet)}dd{margin:0;flex-shrink:0;max-width:65%;font-weight:600;text-align:right;overflow-"
    "wrap:anywhere}"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:1rem 1.5rem;margin:1.2rem 0}.pictures "
    "figure{margin:0;min-width:0}.pictures svg{width:100%}"
    "figure{overflow-x:auto}figure svg{min-width:35rem}.pictures figure svg{min-width:0}"
    "tbody th{font-weight:600;white-space:nowrap}.risks th{white-space:normal}.risks tbody th{padding-top:.7rem;border-bottom:0}.measures "
    "th{white-space:normal}.measures .quiet,.steps "
    ".quiet{display:block;font-weight:400;font-size:.88rem}"
    ".again{color:var(--quiet)}.steps li{margin:.45rem 0}.steps code{margin-left:.5rem}"
    ".sign{width:100%;max-width:46rem;table-layout:fixed}.sign tbody tr{height:3rem}.sign tbody td{border-bottom:1px solid "
    "var(--axis)}.sign th{white-space:normal}"
    ".provenance{color:var(--quiet);font-size:.82rem;overflow-wrap:anywhere;margin-top:.8rem}.provenance p{margin:.1rem 0;max-width:none}"
    "details{border-bottom:1px solid var(--grid)}summary{padding:.5rem 0;cursor:pointer}summary .quiet{margin-left:.4rem}"
    "@media(max-width:40rem){main{padding:1.25rem .9rem 3rem}.measures .quiet{min-width:12rem}nav "
    "ol{columns:1}th,td{--pad:.5rem}.values,.values tbody{display:block}.values "
    "tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid var(--grid)}.values tr>*{border:0}.values "
    "td:nth-child(2){padding-right:0}.values td:nth-child(3){grid-column:1/3;width:auto;padding:0 0 .4rem}}"
    "@media print{@page{margin:13mm}h2{margin-top:1.1rem;padding-top:.5rem}dl div{padding:.12rem "
    "0}.pictures{grid-template-columns:1fr 1fr;gap:.4rem "
    "1rem}.whole{overflow:visible}.screen,details,.rest h3+details{display:none}.paper{display:block}.rest{font-size:9pt}.rest "
    "h2{margin-top:.8rem}h3{margin:.7rem 0 .2rem}.measures .quiet,.steps "
    ".quiet{font-size:7.5pt;line-height:1.3}p,ul{margin-top:.2rem;margin-bottom:.4rem}.measures "
    "td,.measures "
    "th,.rest dl div{padding-top:.1rem;padding-bottom:.1rem}.sign tbody "
    "tr{height:2.2rem}table{font-size:.84rem}th,td{padding-top:.16rem;padding-bottom:.16rem}.verdict{font-size:1rem}.verdict{margin:.6rem "
    "0;padding:.6rem "
    ".9rem}main{max-width:none;padding:0}body{font-size:10.5pt}.scroll{max-height:none;overflow:visible;border:0}"
    "thead "
    "th{position:static}"
    "h2,h3,h4{break-after:avoid}figure "
    "svg{min-width:0}figure,tr,.verdict{break-inside:avoid}a{color:inherit;text-decoration:none}nav{display:none}}";

void html_begin(const char *title, Buffer *out) {
    buffer_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                     "content=\"width=device-width, initial-scale=1\">\n");
    buffer_text(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
    buffer_text(out, "<meta name=\"generator\" content=\"scrim " SCRIM_VERSION "\">\n");
    html_element(out, "title", NULL, title);
    buffer_text(out, "<style>\n");
    buffer_text(out, light);
    buffer_text(out, dark);
    buffer_text(out, layout);
    chart_style(out, true);
    buffer_text(out, "\n</style>\n</head>\n<body>\n<main>\n");
}

void html_end(Buffer *out) { buffer_text(out, "</main>\n</body>\n</html>\n"); }

void html_element(Buffer *out, const char *tag, const char *class, const char *text) {
    buffer_print(out, "<%s", tag);
    if (class) buffer_print(out, " class=\"%s\"", class);
    buffer_char(out, '>');
    xml_text(out, text);
    buffer_print(out, "</%s>\n", tag);
}

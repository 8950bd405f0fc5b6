-- Clientes do sistema antigo entram como contato de e-mail. Rodou uma vez, em 2020; fica pela linhagem.
-- Schedule: none · Owner: growth-data
USE legado;

INSERT INTO TABLE clean.user_contacts PARTITION (ds = '2020-01-01')
SELECT
  C.COD_CLIENTE,
  'email',
  lower(coalesce(C.DS_EMAIL, G.`e-mail`)),
  concat('legado; grupo ', G.`group`)
FROM CLIENTES_OLD C
LEFT JOIN cadastro_geral G ON C.NR_CPF = G.`nº doc`
WHERE C.FL_ATIVO = 'S';
